import { afterEach, describe, expect, test } from 'vitest'
import {
  asId,
  type ConnectionId,
  type JournalRecord,
  type OrganizationId,
  type PauseTarget,
  type PrincipalId,
  systemScope,
} from '../../runtime/domain/index.ts'
import type { SkillCall } from '../../runtime/engine/caller.ts'
import { Sweeper } from '../../runtime/engine/sweeper.ts'
import { TocsinError } from '../../runtime/errors/index.ts'
import { type CallResult, callSkill, type SendResult, type SkillRequest } from '../../runtime/plugin/index.ts'
import { withHandling } from '../../runtime/plugin/testing.ts'
import type { Job, Queue } from '../../runtime/queue/index.ts'
import { createLogger } from '../../runtime/telemetry/index.ts'
import { pause, resume } from '../support/pauses.ts'
import { type Answer, Bench, done, failing, playbook } from './harness.ts'
import { Death, mortal } from './mortal-store.ts'

let bench: Bench
afterEach(() => bench.close())

const minute = 60_000
const hour = 60 * minute
const call = (id: string, skill: string, user: string, rest = ''): string =>
  `- id: ${id}\n  skill: directory.${skill}\n  with: { user: ${user} }\n${rest}`
const owner = { organization: asId<OrganizationId>('acme'), code: 'ACME' }
const never: Answer = ({ skill }) => Promise.reject(new Error(`${skill.id} was called`))

/** What the gate says of a write: here, as the store stands. */
async function turnedAway(): Promise<CallResult | null> {
  const [standing] = await bench.store.pauses.standing(systemScope)
  if (!standing) return null
  const failure = { code: 'paused', message: 'paused', remedy: null, retryAfter: null, turnedAway: { pause: standing.id } }
  return { ok: false, effect: 'not_sent', failure }
}

/** Sweeps, and returns what was handed over. */
async function sweep(): Promise<readonly Job[]> {
  const jobs: Job[] = []
  const queue = { enqueueAgain: async (again: readonly Job[]) => void jobs.push(...again) } as unknown as Queue
  await new Sweeper(bench.store, queue, bench.clock, createLogger({ level: 'silent' })).sweep(0)
  return jobs
}

async function kinds(...wanted: JournalRecord['kind'][]): Promise<string[]> {
  const records = (await bench.records()).filter(({ kind }) => wanted.includes(kind))
  return records.map((record) => [record.kind, 'try' in record ? record.try : '', 'code' in record ? record.code : ''].join(' ').trim())
}

describe('a run under way when a pause begins', () => {
  test('goes on with reads, and sleeps before its next write, of which nothing is journaled', async () => {
    bench = await Bench.open(playbook(`${call('first', 'get_user', 'ada')}${call('second', 'get_user', 'bob')}${call('act', 'page_user', 'ada')}`))
    const ended = await bench.live(async () => {
      await pause(bench.store, bench.clock)
      return done({ state: 'there' })
    })
    expect(ended).toBe(false)
    expect(bench.called).toEqual(['get_user ada', 'get_user bob'])
    const [standing] = await bench.store.pauses.standing(systemScope)
    expect(await kinds('intent', 'tried')).toEqual([])
    expect((await bench.records()).at(-1)).toMatchObject({ kind: 'slept', pause: standing?.id })
    expect(await bench.ended()).toMatchObject({ state: 'waiting' })
    expect(await sweep()).toEqual([])

    await resume(bench.store, bench.clock)
    expect(await sweep()).toMatchObject([{ run: bench.run }])
    expect(await bench.live(() => done({ state: 'paged' }))).toBe(true)
    expect(bench.called).toEqual(['get_user ada', 'get_user bob', 'page_user ada'])
    expect(await bench.ended()).toMatchObject({ state: 'completed', failure: null })
  })

  test('that meets it at the gate has its write known as not sent, and sends it once afterwards', async () => {
    bench = await Bench.open(playbook(call('act', 'page_user', 'ada')))
    await bench.live(async () => {
      await pause(bench.store, bench.clock)
      return (await turnedAway()) ?? done({})
    })
    expect(await kinds('intent', 'tried', 'slept')).toEqual(['intent 1', 'tried 1 paused', 'slept'])
    await resume(bench.store, bench.clock)
    await bench.live(() => done({ state: 'paged' }))
    expect(await bench.ended()).toMatchObject({ state: 'completed' })
    expect(await kinds('intent')).toEqual(['intent 1', 'intent 2'])
    expect(await bench.decisions()).toEqual([])
  })

  test('no on_error catches that it is paused', async () => {
    bench = await Bench.open(playbook(call('act', 'page_user', 'ada', '  on_error: continue\n')))
    await pause(bench.store, bench.clock)
    await bench.live(never)
    expect(await bench.ended()).toMatchObject({ state: 'waiting' })
  })

  test('is not stopped by a pause of something else', async () => {
    bench = await Bench.open(playbook(call('act', 'page_user', 'ada')))
    const others: PauseTarget[] = [
      { kind: 'organization', owner: { organization: asId<OrganizationId>('other'), code: 'OTHER' } },
      { kind: 'playbook', playbook: 'other', owner: null },
      { kind: 'playbook', playbook: 'test', owner: { organization: asId<OrganizationId>('other'), code: 'OTHER' } },
      { kind: 'connection', connection: asId<ConnectionId>('d'), instance: 'other', owner: null },
    ]
    for (const target of others) await pause(bench.store, bench.clock, target)
    expect(await bench.live(() => done({ state: 'paged' }))).toBe(true)
  })

  test.each<[string, PauseTarget]>([
    ['its organization', { kind: 'organization', owner }],
    ['its playbook', { kind: 'playbook', playbook: 'test', owner: null }],
    ['its playbook in its organization', { kind: 'playbook', playbook: 'test', owner }],
    ['the connection', { kind: 'connection', connection: asId<ConnectionId>('c'), instance: 'dir-prod', owner: null }],
  ])('is stopped by a pause of %s', async (_what, target) => {
    bench = await Bench.open(playbook(call('act', 'page_user', 'ada')))
    const { id } = await pause(bench.store, bench.clock, target)
    await bench.live(never)
    expect((await bench.records()).at(-1)).toMatchObject({ kind: 'slept', pause: id })
    await resume(bench.store, bench.clock)
    expect(await sweep()).toMatchObject([{ run: bench.run }])
  })

  test('of a playbook that runs a paused one stops in that one, and not before', async () => {
    const inner = `format: 1\nplaybook: inner\nconnections: { directory: { integration: directory } }\nsteps:\n  - { id: act, skill: directory.page_user, with: { user: bob } }\n`
    bench = await Bench.open(playbook(`${call('own', 'page_user', 'ada')}- { id: sub, playbook: inner }\n`), {}, [inner])
    await pause(bench.store, bench.clock, { kind: 'playbook', playbook: 'inner', owner: null })
    await bench.live(() => done({ state: 'paged' }))
    expect(bench.called).toEqual(['page_user ada'])
    expect(await bench.ended()).toMatchObject({ state: 'waiting' })
    await resume(bench.store, bench.clock)
    expect(await bench.live(() => done({ state: 'paged' }))).toBe(true)
    expect(bench.called).toEqual(['page_user ada', 'page_user bob'])
  })

  test('where a branch is stopped, the others go on as far as they come', async () => {
    const branches = `- id: both\n  parallel:\n    branches:\n      one:\n        - { id: page, skill: directory.page_user, with: { user: ada } }\n      two:\n        - { id: look, skill: directory.get_user, with: { user: bob } }\n        - { id: again, skill: directory.get_user, with: { user: cyd } }\n`
    bench = await Bench.open(playbook(branches))
    await pause(bench.store, bench.clock)
    await bench.live(() => done({ state: 'there' }))
    expect(bench.called).toEqual(['get_user bob', 'get_user cyd'])
    await resume(bench.store, bench.clock)
    expect(await bench.live(() => done({ state: 'x' }))).toBe(true)
    expect(bench.called.at(-1)).toBe('page_user ada')
  })
})

describe('a write that the gate turned away', () => {
  const twice = '  retry: { attempts: 2, backoff: constant, delay: 1s, on: [vendor_unavailable] }\n'

  test('was none of the tries of its step', async () => {
    bench = await Bench.open(playbook(call('act', 'page_user', 'ada', twice)))
    for (let times = 0; times < 3; times += 1) {
      await bench.live(async () => {
        await pause(bench.store, bench.clock)
        return (await turnedAway()) ?? done({})
      })
      await resume(bench.store, bench.clock)
    }
    const before = bench.calls.length
    await bench.live((_, number) => (number === before + 1 ? failing('refused', 'vendor_unavailable') : done({ state: 'paged' })))
    expect(await bench.ended()).toMatchObject({ state: 'completed' })
    expect(bench.calls.length).toBe(before + 2)
  })

  test('because the store did not answer leaves the run to be taken up again, and nothing in doubt', async () => {
    bench = await Bench.open(playbook(call('act', 'page_user', 'ada')))
    const silent = { code: 'store_unavailable', message: 'gone', remedy: null, retryAfter: null, turnedAway: { pause: null } }
    await expect(bench.live(() => ({ ok: false, effect: 'not_sent', failure: silent }))).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(await bench.ended()).toMatchObject({ state: 'running' })
    expect(await bench.live(() => done({ state: 'paged' }))).toBe(true)
    expect(await kinds('intent', 'tried')).toEqual(['intent 1', 'tried 1 store_unavailable', 'intent 2'])
    expect(await bench.decisions()).toEqual([])
  })

  test('when it was to be repeated for a doubt keeps the run from ending without it', async () => {
    const branches = `- id: both\n  parallel:\n    join: any\n    rest: cancel\n    branches:\n      one:\n        - { id: act, skill: directory.suspend_user, with: { user: ada } }\n      two:\n        - { id: look, skill: directory.get_user, with: { user: bob } }\n`
    bench = await Bench.open(playbook(branches))
    await bench.live(async ({ skill }) => {
      if (skill.id === 'get_user') return done({ state: 'there' })
      await pause(bench.store, bench.clock)
      return failing('unknown', 'call_timeout')
    })
    // What was sent cannot leave any more.
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

test('a repeat that the gate turned away leaves the doubt before it as it was: repeated as the skill allows, and no later', async () => {
  bench = await Bench.open(playbook(call('act', 'suspend_user', 'ada')))
  await bench.live(async (_, number) => {
    if (number === 1) return failing('unknown', 'call_timeout')
    await pause(bench.store, bench.clock)
    return (await turnedAway()) ?? done({})
  })
  expect(await kinds('intent', 'tried')).toEqual(['intent 1', 'intent 2', 'tried 2 paused'])
  bench.clock.advance(hour)
  await resume(bench.store, bench.clock)
  // Beyond its repeat_within nobody but a person says that it may be sent again.
  await bench.live(never)
  expect(await bench.decisions()).toMatchObject([{ kind: 'in_doubt', state: 'open' }])
  await bench.answer('repeat')
  await bench.live(() => done({ state: 'suspended' }))
  expect(await bench.ended()).toMatchObject({ state: 'completed' })
})

describe('a run that is cancelled while it is paused', () => {
  const cancel = async (): Promise<unknown> => {
    const by = { principal: asId<PrincipalId>('ada'), by: 'ada', reason: null, at: bench.clock.now() }
    return bench.store.runs.cancel(systemScope, bench.run, by)
  }

  test.each([
    ['before its first write', false],
    ['with its first write turned away', true],
  ])('ends at once, %s, and sends nothing', async (_when, gate) => {
    bench = await Bench.open(playbook(call('act', 'page_user', 'ada')))
    if (!gate) await pause(bench.store, bench.clock)
    await bench.live(async () => {
      await pause(bench.store, bench.clock)
      return (await turnedAway()) ?? done({})
    })
    expect(await sweep()).toEqual([])
    await cancel()
    expect(await sweep()).toMatchObject([{ run: bench.run }])
    await bench.live(never)
    expect(await bench.ended()).toMatchObject({ state: 'failed', failure: { code: 'run_cancelled' } })
  })

  test('just before it sleeps for the pause is not held', async () => {
    bench = await Bench.open(playbook(`${call('look', 'get_user', 'ada')}${call('act', 'page_user', 'ada')}`))
    const store = new Proxy(bench.store, {
      get(target, name) {
        if (name !== 'pauses') return Reflect.get(target, name)
        return {
          standing: async () => {
            const standing = await pause(bench.store, bench.clock)
            await cancel()
            return [standing]
          },
        }
      },
    })
    await bench.live(() => done({ state: 'there' }), store)
    expect(await sweep()).toMatchObject([{ run: bench.run }])
    await bench.live(never)
    expect(await bench.ended()).toMatchObject({ failure: { code: 'run_cancelled' } })
  })

  test('and has a write in doubt to repeat, is held for that until it is resumed', async () => {
    bench = await Bench.open(playbook(call('act', 'suspend_user', 'ada')))
    await bench.live(async () => {
      await pause(bench.store, bench.clock)
      return failing('unknown', 'call_timeout')
    })
    // What was sent cannot leave any more.
    bench.clock.advance(minute)
    await cancel()
    expect(await sweep()).toMatchObject([{ run: bench.run }])
    await bench.live(never)
    for (let sweeps = 0; sweeps < 3; sweeps += 1) expect(await sweep()).toEqual([])
    await resume(bench.store, bench.clock)
    expect(await sweep()).toMatchObject([{ run: bench.run }])
    await bench.live(() => done({ state: 'suspended' }))
    expect(await bench.ended()).toMatchObject({ failure: { code: 'run_cancelled' } })
  })
})

test('before an intent, a store that does not say whether it is paused lets nothing be sent', async () => {
  bench = await Bench.open(playbook(call('act', 'page_user', 'ada')))
  const deaf = new Proxy(bench.store, {
    get: (target, name) =>
      name === 'pauses' ? { standing: () => Promise.reject(new TocsinError('store_unavailable', 'gone')) } : Reflect.get(target, name),
  })
  await expect(bench.live(never, deaf)).rejects.toMatchObject({ code: 'store_unavailable' })
  expect(await bench.ended()).toMatchObject({ state: 'running' })
  expect(await bench.live(() => done({ state: 'paged' }))).toBe(true)
})

describe('the time in which a run is paused', () => {
  const limited = (steps: string): string => playbook(steps, 'limits: { time: 1h }')

  test('does not count against its limit, where a write was stopped', async () => {
    bench = await Bench.open(limited(`- { id: cool, wait: { for: 50m } }\n${call('act', 'page_user', 'ada')}${call('more', 'get_user', 'ada')}`))
    await bench.live(never)
    bench.clock.advance(50 * minute)
    await pause(bench.store, bench.clock)
    await bench.live(never)
    bench.clock.advance(9 * hour)
    await resume(bench.store, bench.clock)
    await sweep()
    expect(await bench.live(() => done({ state: 'x' }))).toBe(true)
    expect(await bench.ended()).toMatchObject({ state: 'completed' })
  })

  test('still counts what passes beside it', async () => {
    bench = await Bench.open(limited(`${call('act', 'page_user', 'ada')}- { id: cool, wait: { for: 61m } }\n`))
    await pause(bench.store, bench.clock)
    await bench.live(never)
    bench.clock.advance(9 * hour)
    await resume(bench.store, bench.clock)
    await bench.live(() => done({ state: 'x' }))
    bench.clock.advance(61 * minute)
    await bench.live(never)
    expect(await bench.ended()).toMatchObject({ state: 'failed', failure: { code: 'run_timeout' } })
  })

  test('does not count for a sub-playbook with a limit of its own', async () => {
    const inner = `format: 1\nplaybook: inner\nlimits: { time: 1h }\nconnections: { directory: { integration: directory } }\nsteps:\n  - { id: act, skill: directory.page_user, with: { user: bob } }\n  - { id: look, skill: directory.get_user, with: { user: bob } }\n`
    bench = await Bench.open(playbook('- { id: sub, playbook: inner }\n'), {}, [inner])
    await pause(bench.store, bench.clock)
    await bench.live(never)
    bench.clock.advance(9 * hour)
    await resume(bench.store, bench.clock)
    await bench.live(() => done({ state: 'x' }))
    expect(await bench.ended()).toMatchObject({ state: 'completed' })
  })
})

describe('a handler that writes several times', () => {
  const answered = (body: object): SendResult => ({
    effect: 'done',
    answer: { status: 200, headers: { 'content-type': 'application/json' }, body: body as never },
  })
  /** Runs the skill's own handler against a system that answers everything, `before` each request. */
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
  ])('stops between two of them, %s, and goes on there', async (_where, gate) => {
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

/** Where the process dies: after so many things that it did, of which the last still happens or does not. */
const deaths = Array.from({ length: 24 }, (_, index) => [1 + (index >> 1), index % 2 === 0] as const)

test.each(deaths)(
  'a death after %i operations around a pause (the last happens: %s) sends nothing while it stands, and nothing twice',
  async (after, lastHappens) => {
    bench = await Bench.open(playbook(`${call('look', 'get_user', 'ada')}${call('act', 'page_user', 'ada')}${call('then', 'page_user', 'bob')}`))
    const arrived: string[] = []
    let paused = false
    /** The world: it pauses while the run looks, and what comes past the gate then is wrong. */
    const world =
      (death: Death): Answer =>
      (one) =>
        death.attempt(async () => {
          if (one.skill.id === 'get_user') return done({ state: 'there' })
          const away = await turnedAway()
          if (away) return away
          expect(paused).toBe(false)
          arrived.push(String((one.input as { user?: string }).user))
          // Paused while the first write is under way.
          if (arrived.length === 1) {
            await pause(bench.store, bench.clock)
            paused = true
          }
          return done({ state: 'paged' })
        })
    const ended = async (): Promise<boolean> => {
      const run = await bench.store.runs.get(systemScope, bench.run)
      return run?.state === 'completed' || run?.state === 'failed'
    }
    let claimedAnyway = 0
    let resumed = false
    for (let life = 0; life < 20 && !(await ended()); life += 1) {
      const open = (await bench.decisions()).find(({ state }) => state === 'open')
      // What the process died over is in doubt, as ever: a person knows.
      if (open) await bench.answerTo(open.id, arrived.includes(open.actions[0]?.target ?? '') ? 'happened' : 'repeat', 'ada')
      // Also who did not hear of the pause and claims the run all the same sends nothing.
      else if (paused && claimedAnyway++ > 1) {
        paused = false
        resumed = true
        await resume(bench.store, bench.clock)
      }
      const death = new Death(life === 0 || resumed ? after : 1_000, lastHappens)
      resumed = false
      await bench.live(world(death), mortal(bench.store, death))
    }
    expect(await bench.ended()).toMatchObject({ state: 'completed', failure: null })
    expect(claimedAnyway).toBeGreaterThan(0)
    expect(arrived).toEqual(['ada', 'bob'])
  },
)
