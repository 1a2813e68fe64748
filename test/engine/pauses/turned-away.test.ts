import { afterEach, describe, expect, test } from 'vitest'
import type { SkillCall } from '../../../runtime/engine/call/skill-caller.ts'
import { callSkill, type SendResult, type SkillRequest } from '../../../runtime/plugin/index.ts'
import { withHandling } from '../../../runtime/plugin/testing.ts'
import { pause, resume } from '../../support/pauses.ts'
import { type Answer, Bench, call, done, failing, playbook } from '../support/harness.ts'
import { hour, kinds, minute, never, turnedAway } from '../support/paused.ts'

let bench: Bench
afterEach(() => bench.close())

describe('a write that the pause check refused', () => {
  const twice = '  retry: { attempts: 2, backoff: constant, delay: 1s, on: [vendor_unavailable] }\n'

  test('does not count as a try of its step', async () => {
    bench = await Bench.open(playbook(call('act', 'page_user', 'ada', twice)))
    for (let times = 0; times < 3; times += 1) {
      await bench.live(async () => {
        await pause(bench.store, bench.clock)
        return (await turnedAway(bench)) ?? done({})
      })
      await resume(bench.store, bench.clock)
    }
    const before = bench.calls.length
    await bench.live((_, number) => (number === before + 1 ? failing('refused', 'vendor_unavailable') : done({ state: 'paged' })))
    expect(await bench.ended()).toMatchObject({ state: 'completed' })
    expect(bench.calls.length).toBe(before + 2)
  })

  test('because the store did not answer leaves the run for another claim, and nothing in doubt', async () => {
    bench = await Bench.open(playbook(call('act', 'page_user', 'ada')))
    const silent = { code: 'store_unavailable', message: 'gone', remedy: null, retryAfter: null, turnedAway: { pause: null } }
    await expect(bench.live(() => ({ ok: false, effect: 'not_sent', failure: silent }))).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(await bench.ended()).toMatchObject({ state: 'running' })
    expect(await bench.live(() => done({ state: 'paged' }))).toBe(true)
    expect(await kinds(bench, 'intent', 'tried')).toEqual(['intent 1', 'tried 1 store_unavailable', 'intent 2'])
    expect(await bench.decisions()).toEqual([])
  })

  test('as the repeat of a write in doubt keeps the run from ending without it', async () => {
    const branches = `- id: both\n  parallel:\n    join: any\n    rest: cancel\n    branches:\n      one:\n        - { id: act, skill: directory.suspend_user, with: { user: ada } }\n      two:\n        - { id: look, skill: directory.get_user, with: { user: bob } }\n`
    bench = await Bench.open(playbook(branches))
    await bench.live(async ({ skill }) => {
      if (skill.id === 'get_user') return done({ state: 'there' })
      await pause(bench.store, bench.clock)
      return failing('unknown', 'call_timeout')
    })
    // The request that was sent cannot leave any more.
    bench.clock.advance(minute)
    expect(await bench.ended()).toMatchObject({ state: 'waiting' })
    await resume(bench.store, bench.clock)
    const seen: string[] = []
    await bench.live(({ skill }) => {
      seen.push(skill.id)
      return done({ state: 'suspended' })
    })
    expect(seen).toEqual(['suspend_user'])
    expect(await bench.ended()).toMatchObject({ state: 'completed' })
  })
})

test('a refused repeat leaves the earlier try in doubt: it is repeated as the skill allows, and no later', async () => {
  bench = await Bench.open(playbook(call('act', 'suspend_user', 'ada')))
  await bench.live(async (_, number) => {
    if (number === 1) return failing('unknown', 'call_timeout')
    await pause(bench.store, bench.clock)
    return (await turnedAway(bench)) ?? done({})
  })
  expect(await kinds(bench, 'intent', 'tried')).toEqual(['intent 1', 'intent 2', 'tried 2 paused'])
  bench.clock.advance(hour)
  await resume(bench.store, bench.clock)
  // After `repeat_within` only a person may decide to send it again.
  await bench.live(never)
  expect(await bench.decisions()).toMatchObject([{ kind: 'in_doubt', state: 'open' }])
  await bench.answer('repeat')
  await bench.live(() => done({ state: 'suspended' }))
  expect(await bench.ended()).toMatchObject({ state: 'completed' })
})

describe('a handler that writes several times', () => {
  const answered = (body: object): SendResult => ({
    effect: 'done',
    answer: { status: 200, headers: { 'content-type': 'application/json' }, body: body as never },
  })
  /** Runs the skill's own handler against a system that answers everything. Calls `before` ahead of each request. */
  const system =
    (sent: string[], before: (request: SkillRequest) => Promise<SendResult | null>): Answer =>
    ({ plugin, skill, input, key, acts, signal }: SkillCall) => {
      const send = async (request: SkillRequest): Promise<SendResult> => {
        const first = await before(request)
        if (first) return first
        sent.push(request.path)
        return answered(request.path === '/tag' ? { tag: 'vip' } : {})
      }
      return callSkill(plugin, skill, input, {
        ...withHandling({ key, fields: {}, send }),
        ...(acts && { acts }),
        clock: bench.clock,
        timeout: hour,
        signal,
      })
    }

  test.each([
    ['before its intent', false],
    ['at the gate', true],
  ])('stops between two requests, %s, and continues there', async (_where, gate) => {
    bench = await Bench.open(playbook('- id: act\n  skill: directory.tag_users\n  with: { users: [ada, bob, cyd] }\n'))
    const sent: string[] = []
    await bench.live(
      system(sent, async ({ path }) => {
        if (path !== (gate ? '/users/bob/tags' : '/users/ada/tags')) return null
        const { id } = await pause(bench.store, bench.clock)
        return gate ? { effect: 'not_sent', code: 'paused', message: 'paused', turnedAway: { pause: id } } : null
      }),
    )
    expect(sent).toEqual(['/tag', '/users/ada/tags'])
    expect(await bench.ended()).toMatchObject({ state: 'waiting' })
    await resume(bench.store, bench.clock)
    expect(await bench.live(system(sent, async () => null))).toBe(true)
    expect(sent).toEqual(['/tag', '/users/ada/tags', '/users/bob/tags', '/users/cyd/tags'])
    expect(await bench.ended()).toMatchObject({ state: 'completed' })
    expect(await bench.decisions()).toEqual([])
  })
})
