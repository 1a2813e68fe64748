import { expect, test } from 'vitest'
import { asId, type OrganizationId } from '../../domain/index.ts'
import { jobId, partsOf, queueName, shareOf } from './names.ts'

const name = (organization: string, type: string): string => queueName({ organization: asId(organization), type })

test('BullMQ accepts each queue name, whatever the type contains', () => {
  for (const type of ['phishing', 'a:b', '*', 'тип', '\u{1f4e7}\n', 'x'.repeat(10_000)])
    expect(name('acme', type)).toMatch(/^investigate-[0-9a-f]{16}-[0-9a-f]{16}$/)
})

test('each pair of organization and type has its own name, which is always the same', () => {
  const pairs: [string, string][] = [
    ['acme', 'phishing'],
    ['acme', 'malware'],
    ['other', 'phishing'],
    ['phishing', 'acme'],
    ['acmephi', 'shing'],
  ]
  expect(new Set(pairs.map((pair) => name(...pair))).size).toBe(pairs.length)
  expect(name('acme', 'phishing')).toBe(name('acme', 'phishing'))
})

test.each(['any', 'few', 'none'] as const)('a queue name shows its organization and the company %s', (company) => {
  const job = { organization: asId<OrganizationId>('acme-1'), type: 'a-b', ...(company !== 'any' && { company }) }
  expect(queueName(job)).not.toMatch(/:/)
  expect(partsOf(queueName(job))).toEqual({ share: shareOf(job), company })
})

test('BullMQ accepts each job id, and two runs never have the same', () => {
  const runs = ['0197-r1', 'a:b-r1', 'a%3Ab-r1', 'a_b-r1']
  const ids = runs.map((run) => jobId(asId(run)))
  expect(new Set(ids).size).toBe(runs.length)
  expect(ids.join('')).not.toContain(':')
  expect(ids[0]).toBe('0197-r1')
})
