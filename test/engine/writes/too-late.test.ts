import { afterEach, expect, test } from 'vitest'
import { callSkill, type SendResult, type SkillRequest } from '../../../runtime/plugin/index.ts'
import { withHandling } from '../../../runtime/plugin/testing.ts'
import { type Answer, Bench, call, done, failing, playbook } from '../support/harness.ts'

/** Writes that came too late to leave. Nothing was sent, so it is safe to send them again. */
let bench: Bench
afterEach(() => bench.close())

const hour = 3_600_000
const tooLate = failing('not_sent', 'send_too_late')
const suspend = call('act', 'suspend_user', 'ada')

/** Makes the clock jump during the first `times` calls, so that each reaches the socket too late. */
const jumping =
  (times: number, jump = hour): Answer =>
  (_call, number) => {
    if (number > times) return done({ state: 'suspended' })
    bench.clock.advance(jump)
    return tooLate
  }

test.each([1, 3])('is sent again after a jump of the clock, %d times in a row, and this does not count as tries', async (times) => {
  bench = await Bench.open(playbook(suspend, 'limits: { time: 30d }'))
  expect(await bench.live(jumping(times))).toBe(true)
  expect(await bench.ended()).toMatchObject({ state: 'completed', failure: null })
  const sendBy = bench.calls.map((one) => one.sendBy ?? 0)
  expect(sendBy).toHaveLength(times + 1)
  // Each try has its own `sendBy`.
  for (const [index, by] of sendBy.entries()) if (index > 0) expect(by - (sendBy[index - 1] ?? 0)).toBeGreaterThanOrEqual(hour)
})

test('after too many times in a row the run fails, and is retried automatically', async () => {
  bench = await Bench.open(playbook(suspend, 'limits: { time: 30d }'))
  bench.retryDelays = [1_000]
  expect(await bench.live(jumping(99))).toBe(true)
  expect(bench.calls).toHaveLength(4)
  const run = await bench.ended()
  expect(run).toMatchObject({ state: 'failed', failure: { code: 'send_too_late' } })
  expect(run.retryAt).not.toBeNull()
})

test('leaves all tries of its rule for other failures', async () => {
  const rule = '\n  retry: { attempts: 2, backoff: constant, delay: 1s, on: [network] }'
  bench = await Bench.open(playbook(`${suspend}${rule}`, 'limits: { time: 30d }'))
  const answers = [tooLate, failing('not_sent', 'network'), tooLate, done({ state: 'suspended' })]
  expect(await bench.live((_call, number) => answers[number - 1] ?? tooLate)).toBe(true)
  expect(bench.calls).toHaveLength(4)
  expect(await bench.ended()).toMatchObject({ state: 'completed' })
})

test('a write in doubt is not sent again once repeating it is no longer safe', async () => {
  bench = await Bench.open(playbook(suspend, 'limits: { time: 30d }'))
  const answers = [failing('unknown'), tooLate]
  expect(
    await bench.live((_call, number) => {
      if (number === 2) bench.clock.advance(hour)
      return answers[number - 1] ?? done({ state: 'suspended' })
    }),
  ).toBe(false)
  // The skill allows a repeat within ten minutes.
  expect(bench.calls).toHaveLength(2)
  expect(await bench.decisions()).toMatchObject([{ kind: 'in_doubt', state: 'open' }])
})

test('in a handler, only the request that came too late is sent again', async () => {
  bench = await Bench.open(playbook('- id: act\n  skill: directory.tag_users\n  with: { users: [ada, bob] }', 'limits: { time: 30d }'))
  const sent: string[] = []
  let late = 2
  const reply = ({ method, path }: SkillRequest): SendResult => {
    if (path === '/users/bob/tags' && late-- > 0) {
      bench.clock.advance(hour)
      return { effect: 'not_sent', code: 'send_too_late', message: 'too late' }
    }
    sent.push(`${method} ${path}`)
    return { effect: 'done', answer: { status: 200, headers: { 'content-type': 'application/json' }, body: path === '/tag' ? { tag: 'vip' } : {} } }
  }
  const ended = await bench.live(({ plugin, skill, input, key, acts, signal }) => {
    const host = withHandling({ key, fields: {}, send: async (request: SkillRequest) => reply(request) })
    return callSkill(plugin, skill, input, { ...host, ...(acts && { acts }), clock: bench.clock, timeout: 30 * 24 * hour, signal })
  })
  expect(ended).toBe(true)
  expect(await bench.ended()).toMatchObject({ state: 'completed' })
  expect(sent).toEqual(['GET /tag', 'POST /users/ada/tags', 'POST /users/bob/tags'])
})
