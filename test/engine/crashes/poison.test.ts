import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemScope, writesInCase } from '../../../runtime/domain/index.ts'
import { noTurns } from '../../../runtime/fairness/index.ts'
import { createRetraces } from '../../../runtime/retrace/index.ts'
import { type Answer, Bench, Crash, call, done, failing, playbook } from '../support/harness.ts'
import { UndoBench } from '../support/undo-bench.ts'

/** Runs on which the process dies again and again. */
let bench: Bench
let walks: number
beforeEach(() => {
  walks = 0
})
afterEach(() => bench.close())

async function open(steps: string, rest = ''): Promise<void> {
  bench = await Bench.open(playbook(steps, rest))
  bench.deadly = true
}

/** Dies at the first call of a skill, and answers all others. */
const deadlyAt =
  (skill: string): Answer =>
  (called) => {
    if (called.skill.id === skill) throw new Crash()
    return done({ state: 'fine' })
  }

/** Fails the test if any step of the run executes. */
const never: Answer = () => {
  walks += 1
  throw new Error('it was walked again')
}

async function die(times: number, answer: Answer): Promise<void> {
  for (let time = 0; time < times; time += 1) expect(await bench.live(answer)).toBe(false)
}

const kinds = async (): Promise<string[]> => (await bench.case()).timeline.map(({ body }) => body.kind)

test('after the third death in a row it fails with its own code, is not executed a fourth time, and is reported', async () => {
  bench = await Bench.open(playbook(`${call('look', 'get_user', 'ada')}\n${call('next', 'get_user', 'bob')}`))
  bench.deadly = true
  bench.retryDelays = [1_000]
  await die(3, (called) => {
    if (JSON.stringify(called.input).includes('bob')) throw new Crash()
    return done({ state: 'active' })
  })
  expect(await bench.live(never)).toBe(true)
  expect(walks).toBe(0)
  const run = await bench.ended()
  expect(run).toMatchObject({ state: 'failed', deaths: { inPlace: 3, total: 3 }, retryAt: null, failure: { code: 'process_died', step: null } })
  expect(run.failure?.message).toBe('Processes died 3 times in a row while they worked on the run, after it had reached the step look.')
  const [alert] = await bench.store.alerts.get(systemScope, [run.alert])
  expect(alert?.status).toBe(20)
  expect((await bench.case()).timeline.map(({ body }) => body)).toContainEqual(expect.objectContaining({ kind: 'failure', code: 'process_died' }))
  expect(bench.log.filter(({ level }) => level === 'error')).toMatchObject([
    { run: run.id, playbook: 'test', inPlace: 3, total: 3 },
    { code: 'process_died' },
  ])
  // It is not retried automatically. A retry by hand starts with no deaths.
  expect(await bench.retryDue()).toBe(0)
  await bench.retry()
  expect(await bench.live(() => done({ state: 'active' }))).toBe(true)
  expect(await bench.ended()).toMatchObject({ state: 'completed', deaths: { total: 0 } })
})

test('its steps are shown from the journal alone: it is not replayed for that either', async () => {
  await open(`${call('look', 'get_user', 'ada')}\n${call('next', 'get_user', 'bob')}`)
  const looked = async (): Promise<{ readonly note: string | null; readonly states: readonly string[] }> => {
    const byDigest = () => Promise.reject(new Error('it was walked again'))
    const retraces = createRetraces(bench.store, { playbooks: { byDigest }, plugins: { byDigest }, turns: noTurns })
    const query = { within: null, states: null, loops: 'all', after: null, limit: 9 } as const
    const { note, items } = await retraces.list(await bench.ended(), query, new AbortController().signal)
    return { note, states: items.map(({ address, state }) => `${address} ${state}`) }
  }
  const onlyItsJournal = { note: expect.stringContaining('Processes died'), states: ['look done'] }
  const atBob: Answer = ({ input }) => {
    if (JSON.stringify(input).includes('bob')) throw new Crash()
    return done({ state: 'active' })
  }
  await die(3, atBob)
  expect((await bench.ended()).state).toBe('running')
  expect(await looked()).toEqual(onlyItsJournal)
  expect(await bench.live(never)).toBe(true)
  expect(await looked()).toEqual(onlyItsJournal)
})

test('the limit is a setting', async () => {
  await open(call('look', 'get_user', 'ada'))
  bench.deathLimit = 1
  await die(1, deadlyAt('get_user'))
  expect(await bench.live(never)).toBe(true)
  expect(await bench.ended()).toMatchObject({ failure: { code: 'process_died' } })
})

test('a run that makes progress each time goes on, until it has killed far too many processes', async () => {
  const steps = Array.from({ length: 40 }, (_, index) => call(`look_${index}`, 'get_user', `u${index}`)).join('\n')
  await open(steps)
  // Each execution makes one step of progress, and dies at the next step.
  let reached = 0
  const dying: Answer = ({ input }) => {
    const at = Number((input as { user: string }).user.slice(1))
    if (at > reached) throw new Crash()
    return done({ state: 'active' })
  }
  for (; reached < 29; reached += 1) expect(await bench.live(dying)).toBe(false)
  expect(await bench.ended()).toMatchObject({ state: 'running', deaths: { inPlace: 1, total: 28 } })
  await die(1, dying)
  expect(await bench.live(never)).toBe(true)
  expect(await bench.ended()).toMatchObject({ state: 'failed', deaths: { inPlace: 1, total: 30 }, failure: { code: 'process_died' } })
})

test('stopped processes and sleeping runs count as no deaths', async () => {
  await open(`- id: rest\n  wait: { for: 1h }\n${call('look', 'get_user', 'ada')}`)
  expect(await bench.live(never)).toBe(false)
  await bench.store.sessions.bury(systemScope, -1)
  bench.clock.advance(3_600_000)
  bench.deadly = false
  for (let time = 0; time < 5; time += 1) await die(1, deadlyAt('get_user'))
  expect(await bench.live(() => done({ state: 'active' }))).toBe(true)
  expect(await bench.ended()).toMatchObject({ state: 'completed', deaths: { total: 0 } })
})

describe('a write that it left in doubt', () => {
  const pairing = `${call('pair', 'pair_user', 'ada')}\n- id: say\n  case: { note: paired }`

  test('is asked about at once, and the run fails when people have answered', async () => {
    await open(pairing)
    // The process dies before it can ask people.
    await die(1, deadlyAt('pair_user'))
    bench.deathLimit = 1
    expect(await bench.live(never)).toBe(false)
    expect(await bench.ended()).toMatchObject({ state: 'waiting', wakeAt: null })
    const [decision] = await bench.decisions()
    expect(decision).toMatchObject({
      kind: 'in_doubt',
      final: true,
      step: 'pair',
      title: expect.stringContaining('Did directory.pair_user on ada happen?'),
      actions: [{ step: 'pair', skill: 'directory.pair_user', target: 'ada', input: { user: 'ada' }, connection: { instance: 'dir-prod' } }],
    })
    expect(await kinds()).toContain('decision')
    expect(bench.log.filter(({ level }) => level === 'error')).toHaveLength(1)
    await expect(bench.answer('repeat')).rejects.toMatchObject({ code: 'decision_verdict_invalid' })
    await bench.answer('happened', 'ada', { output: { state: 'paired' } })
    expect(await bench.live(never)).toBe(true)
    expect(walks).toBe(0)
    expect(await bench.ended()).toMatchObject({ state: 'failed', failure: { code: 'process_died' } })
    const { timeline } = await bench.case()
    expect(writesInCase(timeline)).toMatchObject([{ skill: 'directory.pair_user', target: 'ada', state: 'stands' }])
    expect(timeline.some(({ body }) => body.kind === 'doubt')).toBe(false)
    expect(bench.called).toEqual(['pair_user ada'])
  })

  test('stays in doubt in the case when nobody knows', async () => {
    await open(pairing)
    bench.deathLimit = 1
    await die(1, deadlyAt('pair_user'))
    expect(await bench.live(never)).toBe(false)
    await bench.answer('give_up')
    expect(await bench.live(never)).toBe(true)
    const { timeline } = await bench.case()
    expect(timeline.find(({ body }) => body.kind === 'doubt')?.body).toMatchObject({ writes: 1, text: expect.stringContaining('pair') })
    expect(writesInCase(timeline)).toMatchObject([{ skill: 'directory.pair_user', state: 'in_doubt' }])
  })

  test('is asked about only when it can no longer leave', async () => {
    await open(pairing)
    bench.deathLimit = 1
    bench.soon = true
    await die(1, deadlyAt('pair_user'))
    expect(await bench.live(never)).toBe(false)
    const { wakeAt } = await bench.ended()
    expect(wakeAt).toBeGreaterThan(bench.clock.now())
    expect(await bench.decisions()).toEqual([])
    bench.clock.advance((wakeAt ?? 0) - bench.clock.now())
    expect(await bench.live(never)).toBe(false)
    expect(await bench.decisions()).toMatchObject([{ state: 'open' }])
  })

  test('keeps the question of an earlier execution, and is not sent again even if people say repeat', async () => {
    await open(pairing)
    bench.deadly = false
    expect(await bench.live(({ skill }) => (skill.id === 'pair_user' ? failing('unknown') : done({ state: 'x' })))).toBe(false)
    const [asked] = await bench.decisions()
    expect(asked).toMatchObject({ kind: 'in_doubt', state: 'open' })
    expect(asked?.final).toBeUndefined()
    await bench.answer('repeat')
    bench.deadly = true
    bench.deathLimit = 1
    await die(1, deadlyAt('pair_user'))
    // The repeat was sent, and is now in doubt itself.
    expect(await bench.live(never)).toBe(false)
    expect(await bench.decisions()).toHaveLength(2)
    await bench.answer('give_up')
    expect(await bench.live(never)).toBe(true)
    expect(await bench.ended()).toMatchObject({ failure: { code: 'process_died' } })
  })

  test('of a handler is the request that was under way', async () => {
    await open('- id: tag\n  skill: directory.tag_users\n  with: { users: [ada, bob] }')
    bench.deathLimit = 1
    await die(1, async ({ acts }) => {
      if (!acts) throw new Error('no acts')
      await acts.request({ number: 1, digest: 'd1', writes: true, title: 'POST /a' }, async () => ({
        ok: true,
        answer: { status: 200, headers: {}, body: {} },
      }))
      await acts.request({ number: 2, digest: 'd2', writes: true, title: 'POST /b' }, () => Promise.reject(new Crash()))
      throw new Error('unreachable')
    })
    expect(await bench.live(never)).toBe(false)
    expect(await bench.decisions()).toMatchObject([{ step: 'tag#2', actions: [{ skill: 'directory.tag_users', target: 'ada,bob' }] }])
    await bench.answer('happened')
    expect(await bench.live(never)).toBe(true)
    expect(await bench.ended()).toMatchObject({ state: 'failed', failure: { code: 'process_died' } })
  })

  test('keeps the run from being executed, however often processes die while it is settled', async () => {
    await open(pairing)
    bench.deathLimit = 1
    await die(1, deadlyAt('pair_user'))
    expect(await bench.live(never)).toBe(false)
    bench.deathLimit = 3
    await bench.answer('give_up')
    expect(await bench.live(never)).toBe(true)
    expect(walks).toBe(0)
  })
})

test('a person who cancels it learns that', async () => {
  await open(call('look', 'get_user', 'ada'))
  bench.deathLimit = 1
  await die(1, deadlyAt('get_user'))
  await bench.cancel('enough')
  expect(await bench.live(never)).toBe(true)
  expect(await bench.ended()).toMatchObject({ failure: { code: 'run_cancelled' } })
})

test('an undo in which processes die ends in the same way', async () => {
  const undoing = await UndoBench.ended(call('suspend', 'suspend_user', 'ada'))
  bench = undoing.bench
  await undoing.begin()
  bench.deadly = true
  for (let time = 0; time < 3; time += 1) {
    expect(await undoing.live(deadlyAt('activate_user'))).toBe(false)
    // Beginning a write is progress. After that, its executions write nothing more.
    expect((await undoing.undoRun()).deaths.total).toBe(time)
  }
  bench.deathLimit = 1
  expect(await undoing.live(never)).toBe(false)
  expect(await undoing.decisions()).toMatchObject([{ kind: 'in_doubt', final: true, actions: [{ skill: 'directory.activate_user', target: 'ada' }] }])
  await undoing.answer('give_up')
  expect(await undoing.live(never)).toBe(true)
  expect(await undoing.undoRun()).toMatchObject({ state: 'failed', failure: { code: 'process_died' } })
  expect(walks).toBe(0)
})
