import { afterEach, expect, test } from 'vitest'
import { defaultPolicy, type PinnedPolicy, type Policy } from '../../../runtime/domain/index.ts'
import { type Answer, Bench, Crash, done, playbook } from '../support/harness.ts'

/**
 * A call that sets something until a time: never a past time, and never further ahead than the skill or the
 * policy allows.
 */
let bench: Bench
afterEach(() => bench.close())

const hour = 3_600_000
const good: Answer = () => done({ state: 'done' })
const unasked: PinnedPolicy = { revision: 1, ...defaultPolicy, approvals: { ...defaultPolicy.approvals, high: 'none' } }
const asked: PinnedPolicy = { revision: 1, ...defaultPolicy, approvals: { ...defaultPolicy.approvals, expires: 24 * hour } }
const allowing = (span: number | null): Policy => ({ ...defaultPolicy, limits: { ...defaultPolicy.limits, spans: { 'directory.admit_user': span } } })

/** @param ahead milliseconds after the start of the run */
async function open(ahead: number | null, { standing = defaultPolicy, policy = unasked } = {}): Promise<Bench> {
  const until = ahead === null ? 'null' : `"{{ run.now | plus: ${ahead} }}"`
  bench = await Bench.open(playbook(`- id: act\n  skill: directory.admit_user\n  with: { user: ada, until: ${until} }`))
  bench.policy = policy
  bench.standing = standing
  return bench
}

test.each<[string, number | null, Policy]>([
  ['soon', 1_000, defaultPolicy],
  ['as far ahead as the skill allows', hour, defaultPolicy],
  ['never', null, defaultPolicy],
  ['further, where the policy allows it', 5 * hour, allowing(5 * hour)],
  ['whenever, where the policy sets no limit', 100_000 * hour, allowing(null)],
])('an allowed end time is sent: %s', async (_, ahead, standing) => {
  await open(ahead, { standing })
  expect(await bench.live(good)).toBe(true)
  expect(bench.called).toEqual(['admit_user ada'])
})

test.each<[string, number, Policy, string, RegExp]>([
  ['now', 0, defaultPolicy, 'end_past', /until is 20.*, which has passed/],
  ['long past', -100_000 * hour, allowing(null), 'end_past', /which has passed/],
  ['beyond what the skill allows', hour + 1, defaultPolicy, 'span_too_long', /the skill allows at most 1h from now/],
  ['beyond any calendar', 9e15, defaultPolicy, 'span_too_long', /until is \d+, but the skill allows/],
  ['beyond what the policy allows', 60_001, allowing(60_000), 'span_too_long', /the organization's policy allows at most 1m from now/],
])('any other end time is not sent: %s', async (_, ahead, standing, code, message) => {
  await open(ahead, { standing })
  expect(await bench.live(good)).toBe(true)
  expect(bench.called).toEqual([])
  expect(await bench.ended()).toMatchObject({ state: 'failed', failure: { code, step: 'act', message: expect.stringMatching(message) } })
  expect((await bench.records()).find(({ kind }) => kind === 'failed')).toMatchObject({ address: 'act', effect: 'not_sent' })
})

test('people are not asked about a call that would be refused', async () => {
  await open(-1, { policy: asked })
  expect(await bench.live(good)).toBe(true)
  expect(await bench.decisions()).toEqual([])
  expect(await bench.ended()).toMatchObject({ failure: { code: 'end_past' } })
})

test('an end time that has passed before people answered is not set', async () => {
  await open(hour, { policy: asked })
  expect(await bench.live(good)).toBe(false)
  bench.clock.advance(2 * hour)
  await bench.answer('approve')
  expect(await bench.live(good)).toBe(true)
  expect(bench.called).toEqual([])
  expect(await bench.ended()).toMatchObject({ state: 'failed', failure: { code: 'end_past' } })
})

test('a call that may have reached its target is settled, whatever its end time is now', async () => {
  await open(hour)
  await bench.live(() => {
    throw new Crash()
  })
  bench.clock.advance(2 * hour)
  expect(await bench.live(good)).toBe(true)
  expect(bench.called).toEqual(['admit_user ada', 'admit_user ada'])
  expect(await bench.ended()).toMatchObject({ state: 'completed' })
})
