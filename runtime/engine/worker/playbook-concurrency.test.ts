import { expect, test } from 'vitest'
import { type AlertUuid, asId, type OrganizationId, runId } from '../../domain/index.ts'
import type { Job } from '../../queue/index.ts'
import { PlaybookConcurrency } from './playbook-concurrency.ts'

function job(name: string): Job {
  const alert = asId<AlertUuid>(name)
  return { run: runId(alert, 1), alert, organization: asId<OrganizationId>('o'), type: 't', attempt: 1 }
}

test('a playbook runs as often at once as its limit says, and waiting jobs follow in order', () => {
  const places = new PlaybookConcurrency()
  expect(['a', 'b', 'c', 'd'].map((name) => places.enter('p', 2, job(name)))).toEqual([true, true, false, false])
  expect(places.leave('p', 2)).toEqual(job('c'))
  expect(places.enter('p', 2, job('c'))).toBe(true)
  expect(places.leave('p', 2)).toEqual(job('d'))
  expect(places.leave('p', 2)).toBeNull()
})

test('hasRoom() says whether a run may begin without counting it', () => {
  const places = new PlaybookConcurrency()
  expect([places.hasRoom('p', 1), places.hasRoom('p', null)]).toEqual([true, true])
  places.enter('p', 1, job('a'))
  expect([places.hasRoom('p', 1), places.hasRoom('p', 2), places.hasRoom('q', 1)]).toEqual([false, true, true])
})

test('one playbook does not hold up another, nor one without a limit', () => {
  const places = new PlaybookConcurrency()
  expect(places.enter('p', 1, job('a'))).toBe(true)
  expect(places.enter('q', 1, job('b'))).toBe(true)
  expect(places.enter('r', null, job('c'))).toBe(true)
  expect(places.leave('r', null)).toBeNull()
})

test('a job that is handed over twice waits once', () => {
  const places = new PlaybookConcurrency()
  places.enter('p', 1, job('a'))
  places.enter('p', 1, job('b'))
  places.enter('p', 1, job('b'))
  expect(places.leave('p', 1)).toEqual(job('b'))
  expect(places.leave('p', 1)).toBeNull()
})
