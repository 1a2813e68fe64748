import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type Alert, AlertStatus, type AlertUuid, asId, type OrganizationId, runId } from '../domain/index.ts'
import type { Job } from '../queue/index.ts'
import { GivenAlerts } from './given-alerts.ts'

const alert = {
  uuid: asId<AlertUuid>('a'),
  organization: asId<OrganizationId>('acme'),
  type: 'Theft',
  content: '{"user":"Åda"}',
  status: AlertStatus.created,
  retryCount: 0,
  createdAt: 5_000,
  createdAtSource: null,
  idempotency: null,
} as unknown as Alert
const job: Job = { run: runId(alert.uuid, 1), alert: alert.uuid, organization: alert.organization, type: 'theft', attempt: 1 }

let made = 0
/** Opens what a process of an installation uses. */
function processOf(installation: string, now = 5_010): GivenAlerts {
  const ids = { secret: (bytes: number) => Buffer.alloc(bytes, `${made++}`).toString('base64url') }
  const derive = (text: string): string => createHmac('sha256', installation).update(text).digest('base64url')
  return new GivenAlerts({ now: () => now }, ids, derive)
}

function sealed(parts: Partial<Job> = {}, by = processOf('ours'), of: Alert = alert): Job {
  const given = { ...job, ...parts }
  const text = by.seal(given, of)
  return text === undefined ? given : { ...given, sealed: text }
}

test('another process of the installation gets the alert as it was stored, whatever it got before', () => {
  const [one, other] = [processOf('ours'), processOf('ours')]
  const taker = processOf('ours')
  for (const by of [one, other, one]) expect(taker.open(sealed({}, by))).toEqual(alert)
})

test('nothing of the alert can be read in what is sent, and no two look the same', () => {
  const by = processOf('ours')
  const [first = '', second = ''] = [by.seal(job, alert), by.seal(job, alert)]
  const bytes = Buffer.from(first.split('.')[1] ?? '', 'base64url')
  expect(bytes.length).toBeGreaterThan(JSON.stringify(alert).length)
  for (const text of ['user', 'Åda', 'acme', 'Theft']) expect([bytes.includes(text), first.includes(text)]).toEqual([false, false])
  const [own, others] = [first, second].map((text) => text.split('.')[1] ?? '')
  expect(own?.slice(0, 16)).not.toBe(others?.slice(0, 16))
  expect(own?.slice(16, 200)).not.toBe(others?.slice(16, 200))
})

describe('the alert is read from the store', () => {
  const ours = processOf('ours')

  test.each<[string, Job]>([
    ['nothing was given', job],
    ['another installation has sealed it', sealed({}, processOf('theirs'))],
    ['it was sealed for another run', { ...sealed(), run: runId(asId<AlertUuid>('b'), 1) }],
    ['it was sealed for another alert', { ...sealed(), alert: asId<AlertUuid>('b') }],
    ['it was sealed for another organization', { ...sealed(), organization: asId<OrganizationId>('other') }],
    ['it was sealed for another type', { ...sealed(), type: 'other' }],
    ['the job was enqueued before', { ...sealed(), again: true }],
    ['the job is of another attempt', { ...sealed(), attempt: 2 }],
    ['it is too short to be sealed', { ...job, sealed: 'a.b' }],
    ['it is empty', { ...job, sealed: '' }],
    ['it has too many parts', { ...job, sealed: `${sealed().sealed}.x` }],
  ])('if %s', (_why, taken) => {
    expect(ours.open(taken)).toBeUndefined()
  })

  test('if any byte was changed', () => {
    const [by = '', text = ''] = sealed().sealed?.split('.') ?? []
    const bytes = Buffer.from(text, 'base64url')
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes)
      changed[at] = (bytes[at] ?? 0) ^ 1
      expect(ours.open({ ...job, sealed: `${by}.${changed.toString('base64url')}` })).toBeUndefined()
    }
    expect(ours.open({ ...job, sealed: `${by}x.${text}` })).toBeUndefined()
  })

  test.each([
    [4_000, false],
    [4_001, true],
    [5_999, true],
    [6_000, false],
  ])('if it was created a second before or after the time here (%d)', (now, opens) => {
    expect(processOf('ours', now).open(sealed()) !== undefined).toBe(opens)
  })
})

test('a large alert is not given, and neither is one that is investigated again', () => {
  const content = (characters: number): Alert => ({ ...alert, content: 'c'.repeat(characters) })
  const ours = processOf('ours')
  expect(ours.seal(job, content(16 * 1024))).toBeDefined()
  expect(ours.seal(job, content(16 * 1024 + 1))).toBeUndefined()
  expect(ours.seal({ ...job, attempt: 2 }, { ...alert, retryCount: 1 })).toBeUndefined()
})
