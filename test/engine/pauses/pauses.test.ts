import { afterEach, describe, expect, test } from 'vitest'
import { asId, type ConnectionId, type OrganizationId, type PauseTarget, type PrincipalId, systemScope } from '../../../runtime/domain/index.ts'
import { TocsinError } from '../../../runtime/errors/index.ts'
import { pause, resume } from '../../support/pauses.ts'
import { Bench, call, done, failing, playbook } from '../support/harness.ts'
import { hour, kinds, minute, never, sweep, turnedAway } from '../support/paused.ts'

let bench: Bench
afterEach(() => bench.close())

const owner = { organization: asId<OrganizationId>('acme'), code: 'ACME' }
describe('a run under way when a pause begins', () => {
  test('continues with reads, and sleeps before its next write without journaling it', async () => {
    bench = await Bench.open(playbook(`${call('first', 'get_user', 'ada')}${call('second', 'get_user', 'bob')}${call('act', 'page_user', 'ada')}`))
    const ended = await bench.live(async () => {
      await pause(bench.store, bench.clock)
      return done({ state: 'there' })
    })
    expect(ended).toBe(false)
    expect(bench.called).toEqual(['get_user ada', 'get_user bob'])
    const [standing] = await bench.store.pauses.standing(systemScope)
    expect(await kinds(bench, 'intent', 'tried')).toEqual([])
    expect((await bench.records()).at(-1)).toMatchObject({ kind: 'slept', pause: standing?.id })
    expect(await bench.ended()).toMatchObject({ state: 'waiting' })
    expect(await sweep(bench)).toEqual([])

    await resume(bench.store, bench.clock)
    expect(await sweep(bench)).toMatchObject([{ run: bench.run }])
    expect(await bench.live(() => done({ state: 'paged' }))).toBe(true)
    expect(bench.called).toEqual(['get_user ada', 'get_user bob', 'page_user ada'])
    expect(await bench.ended()).toMatchObject({ state: 'completed', failure: null })
  })

  test('that is stopped by the pause check records its write as not sent, and sends it once later', async () => {
    bench = await Bench.open(playbook(call('act', 'page_user', 'ada')))
    await bench.live(async () => {
      await pause(bench.store, bench.clock)
      return (await turnedAway(bench)) ?? done({})
    })
    expect(await kinds(bench, 'intent', 'tried', 'slept')).toEqual(['intent 1', 'tried 1 paused', 'slept'])
    await resume(bench.store, bench.clock)
    await bench.live(() => done({ state: 'paged' }))
    expect(await bench.ended()).toMatchObject({ state: 'completed' })
    expect(await kinds(bench, 'intent')).toEqual(['intent 1', 'intent 2'])
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
    expect(await sweep(bench)).toMatchObject([{ run: bench.run }])
  })

  test('of a playbook that calls a paused one stops in that one, and not before', async () => {
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

  test('with one stopped branch lets the others continue', async () => {
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
      return (await turnedAway(bench)) ?? done({})
    })
    expect(await sweep(bench)).toEqual([])
    await cancel()
    expect(await sweep(bench)).toMatchObject([{ run: bench.run }])
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
    expect(await sweep(bench)).toMatchObject([{ run: bench.run }])
    await bench.live(never)
    expect(await bench.ended()).toMatchObject({ failure: { code: 'run_cancelled' } })
  })

  test('and must repeat a write in doubt is held until the pause ends', async () => {
    bench = await Bench.open(playbook(call('act', 'suspend_user', 'ada')))
    await bench.live(async () => {
      await pause(bench.store, bench.clock)
      return failing('unknown', 'call_timeout')
    })
    // The request that was sent cannot leave any more.
    bench.clock.advance(minute)
    await cancel()
    expect(await sweep(bench)).toMatchObject([{ run: bench.run }])
    await bench.live(never)
    for (let sweeps = 0; sweeps < 3; sweeps += 1) expect(await sweep(bench)).toEqual([])
    await resume(bench.store, bench.clock)
    expect(await sweep(bench)).toMatchObject([{ run: bench.run }])
    await bench.live(() => done({ state: 'suspended' }))
    expect(await bench.ended()).toMatchObject({ failure: { code: 'run_cancelled' } })
  })
})

test('nothing is sent if the store does not answer whether it is paused', async () => {
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

  test('does not count against its limit if a write was stopped', async () => {
    bench = await Bench.open(limited(`- { id: cool, wait: { for: 50m } }\n${call('act', 'page_user', 'ada')}${call('more', 'get_user', 'ada')}`))
    await bench.live(never)
    bench.clock.advance(50 * minute)
    await pause(bench.store, bench.clock)
    await bench.live(never)
    bench.clock.advance(9 * hour)
    await resume(bench.store, bench.clock)
    await sweep(bench)
    expect(await bench.live(() => done({ state: 'x' }))).toBe(true)
    expect(await bench.ended()).toMatchObject({ state: 'completed' })
  })

  test('still counts time in which it works', async () => {
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

  test('does not count against the limit of a sub-playbook either', async () => {
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
