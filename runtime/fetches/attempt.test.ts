import { expect, onTestFinished, test } from 'vitest'
import type { ReadCall } from '../connection/index.ts'
import {
  type Alert,
  type AlertFetch,
  asId,
  type Clock,
  type ConnectionId,
  type FetchId,
  type FetchState,
  type Json,
  newFetchState,
  type OrganizationId,
  type PrincipalId,
} from '../domain/index.ts'
import { TocsinError } from '../errors/index.ts'
import { noTurns } from '../fairness/index.ts'
import type { BatchItem } from '../ingest/index.ts'
import type { CallResult } from '../plugin/index.ts'
import { attemptOf } from './attempt.ts'
import { Submitter } from './submit.ts'

const [second, minute, day] = [1_000, 60_000, 86_400_000]
const now = 100 * day
/** Ends every wait at once while it is true. */
let hurried = false
const clock = {
  now: () => now,
  after: (_, work) => {
    if (hurried) work()
    return () => {}
  },
} as Clock
const never = new AbortController().signal

const made: AlertFetch = {
  id: asId<FetchId>('f'),
  organization: asId<OrganizationId>('o'),
  name: 'EDR',
  connection: asId<ConnectionId>('c'),
  skill: 'list',
  input: { after: '{{ since.seconds }}', limit: 9 },
  reading: { items: '/data', provider: 'EDR', type: 'edr', typeAt: '/type', idAt: '/id', createdAt: '/at' },
  every: minute,
  overlap: 0,
  enabled: true,
  principal: asId<PrincipalId>('p'),
  revision: 1,
  createdAt: 0,
  createdBy: asId<PrincipalId>('q'),
  modifiedAt: 0,
}

/** A Tocsin that keeps alerts by key, as the store does. `refuse`: the ids of items that it refuses. */
function world(refuse: readonly string[] = []) {
  const kept = new Map<string, BatchItem['alert']>()
  const asked: ReadCall[] = []
  const defects: object[] = []
  const acceptBatch = async (principal: { readonly id: string }, items: readonly BatchItem[]) => {
    expect(principal.id).toBe('p')
    return items.map(({ alert, idempotencyKey: key }) => {
      if (refuse.some((id) => alert.alertContent.includes(id))) return new TocsinError('store_unavailable', 'down')
      const before = key === null ? undefined : kept.get(key)
      if (key !== null && !before) kept.set(key, alert)
      if (before && JSON.stringify(before) !== JSON.stringify(alert)) return new TocsinError('idempotency_key_reused', 'used')
      return { alert: {} as Alert, fresh: !before }
    })
  }
  const attempt = (answer: Json | CallResult | Error, fetch: Partial<AlertFetch> = {}, state: FetchState = newFetchState(now - minute)) => {
    const result =
      typeof answer === 'object' && answer !== null && 'ok' in answer ? (answer as CallResult) : ({ ok: true, output: answer } as CallResult)
    const call = async (given: ReadCall): Promise<CallResult> => {
      asked.push(given)
      if (given.signal.aborted) return failed('network')
      if (answer instanceof Error) throw answer
      return result
    }
    const calls = { call }
    return attemptOf(
      { calls, submitter: new Submitter({ acceptBatch }, noTurns, 300), clock, logger: { error: (told: object) => void defects.push(told) } },
      { ...made, ...fetch },
      state,
      'ACME',
      never,
    )
  }
  return { kept, asked, defects, attempt, alerts: () => [...kept.values()] }
}

const item = (id: number, more: object = {}): Json => ({ id, type: 'malware', at: (now - 50 * second) / second, ...more })
const failed = (code: string, retryAfter: number | null = null): CallResult => ({
  ok: false,
  effect: 'refused',
  failure: { code, message: 'm', remedy: null, retryAfter },
})

test('each item becomes an alert with its type and time, and since becomes the time of the newest', async () => {
  const { attempt, alerts, asked } = world()
  const { next, delay } = await attempt({ data: [item(1), item(2, { type: null }), item(3, { at: 'soon' })] })
  expect(asked[0]).toMatchObject({ organization: 'o', connection: 'c', skill: 'list', input: { after: (now - minute) / second, limit: 9 } })
  expect(alerts()).toMatchObject([
    { alertType: 'malware', createdAtSource: now - 50 * second, organizationCode: 'ACME', alertProvider: 'EDR' },
    { alertType: 'edr' },
    { createdAtSource: null },
  ])
  expect(JSON.parse(alerts()[0]?.alertContent ?? '')).toEqual(item(1))
  expect(next).toMatchObject({ since: now - 50 * second, failures: 0, fetchedAt: now, last: { found: 3, fresh: 3, failure: null } })
  expect(delay).toBe(minute)
})

test('an item is fetched again without a second alert, and one that says something else leaves the first as it was', async () => {
  const { attempt, alerts } = world()
  await attempt({ data: [item(1), 'text', item(9, { id: undefined })] })
  const { next } = await attempt({ data: [item(1), 'text', item(9, { id: undefined }), item(1, { severity: 'high' })] })
  expect(next.last).toMatchObject({ found: 4, fresh: 0, repeated: 3, changed: 1, failure: null })
  expect(alerts()).toHaveLength(3)
})

test('without items since stays, without a place for times it is the time of the attempt, and no item moves it into the future', async () => {
  const { attempt } = world()
  const state = newFetchState(now - minute)
  expect((await attempt({ data: [] })).next.since).toBe(state.since)
  expect((await attempt({ data: null })).next).toMatchObject({ since: state.since, failures: 0 })
  expect((await attempt({ data: [] }, { reading: { ...made.reading, createdAt: null } })).next.since).toBe(now)
  expect((await attempt({ data: [item(1, { at: (now + day) / second })] })).next.since).toBe(now)
  expect((await attempt({ data: [item(2, { at: 5 })] })).next.since).toBe(state.since)
})

test.each<[string, Json | CallResult, Partial<AlertFetch>]>([
  ['fetch_answer_unfit', {}, {}],
  ['fetch_answer_unfit', { data: { 1: item(1) } }, {}],
  ['fetch_answer_unfit', 'text', { reading: { ...made.reading, items: '' } }],
  ['fetch_incomplete', { data: [item(1)], truncated: true }, {}],
  ['body_too_large', { data: [item(2, { text: 'x'.repeat(400) }), item(1)] }, {}],
  ['store_unavailable', { data: [item(77), item(1)] }, {}],
  ['rate_limited', failed('rate_limited'), {}],
  ['fetch_invalid', { data: [] }, { input: { after: '{{ alert.type }}' } }],
  ['template_failed', { data: [] }, { input: { after: '{{ since.seconds | divided_by: 0 }}' } }],
])('after %s, the next attempt asks for the same time, and what could be stored is stored', async (code, answer, fetch) => {
  const { attempt, alerts } = world(['77'])
  const state = { ...newFetchState(now - minute), fetchedAt: 5 }
  const { next, delay } = await attempt(answer, fetch, state)
  expect(next).toMatchObject({ since: state.since, failures: 1, fetchedAt: 5, last: { failure: { code } } })
  expect(alerts()).toHaveLength(JSON.stringify(answer).includes('"id":1,') && code !== 'fetch_answer_unfit' ? 1 : 0)
  expect(delay).toBe(minute)
})

test('after failures the waits grow up to ten minutes, or to the time between attempts, and are as long as the system asks', async () => {
  const { attempt } = world()
  const after = async (failures: number, every = minute, retryAfter: number | null = null) =>
    (await attempt(failed('network', retryAfter), { every }, { ...newFetchState(0), failures })).delay
  expect(await Promise.all([0, 1, 2, 3, 4, 999].map((failures) => after(failures)))).toEqual([1, 2, 4, 8, 10, 10].map((minutes) => minutes * minute))
  expect(await after(9, day)).toBe(day)
  expect(await after(0, minute, 300)).toBe(300 * second)
  expect(await after(0, minute, 1e9)).toBe(day)
})

test('a skill that stops at its limit again and again is asked as often as before', async () => {
  const { attempt } = world()
  const state = { ...newFetchState(now - minute), failures: 9, halvings: 9 }
  expect(await attempt({ data: [item(1)], truncated: true }, {}, state)).toMatchObject({ next: { failures: 10 }, delay: minute })
})

test('a text with half of a surrogate pair becomes an alert that every store can return', async () => {
  const { attempt, alerts } = world()
  const { next } = await attempt({ data: ['a\ud800b', { id: 1, text: '\udc00' }] })
  expect(next.last).toMatchObject({ fresh: 2, failure: null })
  expect(alerts().map(({ alertContent }) => [alertContent, alertContent.isWellFormed()])).toEqual([
    ['"a\\ud800b"', true],
    ['{"id":1,"text":"\\udc00"}', true],
  ])
})

test('an input that reads until goes on at once until it has caught up, and asks for less if the skill stops at its limit', async () => {
  const { attempt, asked } = world()
  const input = { from: '{{ since.iso }}', to: '{{ until.iso }}' }
  const state = newFetchState(now - 3 * day)
  const first = await attempt({ data: [] }, { input }, state)
  expect(asked[0]?.input).toEqual({ from: new Date(now - 3 * day).toISOString(), to: new Date(now - 2 * day).toISOString() })
  expect(first).toMatchObject({ next: { since: now - 2 * day }, delay: 0 })
  const cut = await attempt({ data: [item(1)], truncated: true }, { input }, first.next)
  expect(cut).toMatchObject({ next: { since: now - 2 * day, failures: 1, halvings: 1 }, delay: 0 })
  expect((await attempt({ data: [] }, { input }, cut.next)).next).toMatchObject({ since: now - 1.5 * day, failures: 0, halvings: 0 })
})

const hour = 3_600_000
/** An answer of a system whose clock is so many milliseconds behind ours. */
const behind = (by: number, data: Json = []): CallResult => ({ ok: true, output: { data }, answeredAt: now - by })

test('the clock of the system decides until when everything is fetched, however wrong ours is', async () => {
  const { attempt } = world()
  const timeless = { reading: { ...made.reading, createdAt: null } }
  const sinceAfter = async (answer: CallResult, fetch: Partial<AlertFetch> = {}, since = now - minute) =>
    (await attempt(answer, fetch, newFetchState(since))).next.since
  expect(await sinceAfter(behind(3 * hour), timeless)).toBe(now - 3 * hour)
  expect(await sinceAfter(behind(3 * hour))).toBe(now - 3 * hour)
  expect(await sinceAfter(behind(3 * hour, [item(1, { at: (now - 3 * hour - second) / second })]))).toBe(now - 3 * hour)
  // Ours is behind, so nothing is skipped.
  expect(await sinceAfter(behind(-3 * hour), timeless)).toBe(now)
  expect(await sinceAfter(behind(-3 * hour))).toBe(now - minute)
  // A date that is none.
  expect(await sinceAfter(behind(now), timeless)).toBe(now)
  // Our clock was ahead at an earlier attempt.
  expect(await sinceAfter(behind(0), {}, now + 3 * hour)).toBe(now)
})

test('a fetch that goes through a long time in parts ends where the system has come, and does not ask again at once', async () => {
  const { attempt } = world()
  const input = { from: '{{ since.iso }}', to: '{{ until.iso }}' }
  const state = newFetchState(now - day - 2 * hour)
  const timeless = { input, reading: { ...made.reading, createdAt: null } }
  expect(await attempt(behind(3 * hour), timeless, state)).toMatchObject({ next: { since: now - 3 * hour }, delay: minute })
  expect(await attempt(behind(3 * hour), { input }, state)).toMatchObject({ next: { since: state.since }, delay: minute })
  expect(await attempt(behind(0), { input }, state)).toMatchObject({ next: { since: now - 2 * hour }, delay: 0 })
})

test('a listing that ends although the system counts more items is incomplete, and what it had is stored', async () => {
  const { attempt, alerts } = world()
  const state = newFetchState(now - minute)
  const short: CallResult = { ok: true, output: { data: [item(1)] }, incomplete: 'the answer says that there are 9 items' }
  const { next } = await attempt(short, {}, state)
  expect(next).toMatchObject({ since: state.since, failures: 1, halvings: 0, last: { found: 1, fresh: 1, failure: { code: 'fetch_incomplete' } } })
  expect(next.last?.failure?.message).toBe('Items are missing: the answer says that there are 9 items. Those that it returned are stored.')
  expect(alerts()).toHaveLength(1)
})

test('a call that does not end is given up, and the next attempt asks for less', async () => {
  const { attempt } = world()
  hurried = true
  onTestFinished(() => {
    hurried = false
  })
  const { next } = await attempt({ data: [item(1)] })
  expect(next).toMatchObject({ failures: 1, halvings: 1, last: { failure: { code: 'call_timeout', message: 'The skill did not end within 15m.' } } })
})

test('a defect shows as a failure, and is logged', async () => {
  const { attempt, defects } = world()
  const { next } = await attempt(new TypeError('x is undefined'))
  expect(next).toMatchObject({ failures: 1, halvings: 0, last: { failure: { code: 'internal' } } })
  expect(JSON.stringify(next)).not.toContain('undefined')
  expect(defects).toHaveLength(1)
})
