import { afterEach, describe, expect, test } from 'vitest'
import { writesOf } from '../../../runtime/evidence/writes.ts'
import { answered, fine, handlerSystem, notSent, type Reply } from '../support/handler-system.ts'
import { type Answer, Bench, Crash, done, failing, playbook } from '../support/harness.ts'

/*
 * A handler cannot start again, because its connection has changed meanwhile. What it did before is in the journal.
 */

let bench: Bench
afterEach(() => bench.close())

const system = (reply: Reply): Answer => handlerSystem(bench, [], reply)
const open = async (step: string, rest?: string): Promise<void> => {
  bench = await Bench.open(playbook(`- id: act\n${step}`, rest))
}
const changed: Answer = () => failing('not_sent', 'connection_changed')
const failedStep = async () => (await bench.records()).find(({ kind }) => kind === 'failed')
const evidence = async () => writesOf(await bench.records(), async () => undefined)
const left = async () => (await bench.undoDesk().preview(await bench.ended(), false)).document.left.map(({ code }) => code)

test('it has changed what its answered requests changed', async () => {
  await open('  skill: directory.stamp_user\n  with: { user: ada }\n  retry: { attempts: 3, delay: 10m, on: [network] }')
  expect(await bench.live(system((_, number) => (number === 2 ? notSent : answered({}))))).toBe(false)
  bench.clock.advance(3_600_000)
  expect(await bench.live(changed)).toBe(true)
  expect(await failedStep()).toMatchObject({
    effect: 'done',
    failure: { code: 'connection_changed', message: expect.stringContaining('1 of its requests had changed something') },
  })
  expect(await left()).toEqual(['undo_partial'])
})

/** Lets the process die while a request is under way. @param at the number of that request */
const dyingAt = (at: number): Answer =>
  system((request, number) => {
    if (number === at) throw new Crash()
    return fine(request)
  })

describe('people are asked about its request under way', () => {
  const reach = async (): Promise<void> => {
    await open('  skill: directory.tag_users\n  with: { users: [ada, bob] }')
    expect(await bench.live(dyingAt(3))).toBe(false)
    expect(await bench.live(changed)).toBe(false)
    expect(await failedStep()).toBeUndefined()
  }

  test('and the step waits for the answer', async () => {
    await reach()
    expect(await bench.decisions()).toMatchObject([
      {
        kind: 'in_doubt',
        state: 'open',
        step: 'act#3',
        title: expect.stringMatching(/Did directory\.tag_users on ada, ?bob happen\? .*request 3: .*connection_changed/),
        actions: [{ skill: 'directory.tag_users' }],
        expiresAt: null,
      },
    ])
    expect(bench.log.filter(({ msg }) => msg === 'a write is in doubt')).toMatchObject([{ step: 'act#3', try: 1 }])
  })

  test('who say that it happened', async () => {
    await reach()
    await bench.answer('happened')
    expect(await bench.live(changed)).toBe(true)
    expect(await failedStep()).toMatchObject({
      effect: 'done',
      failure: { code: 'connection_changed', message: expect.stringContaining('2 of its requests had changed something') },
    })
    expect((await evidence()).map(({ outcome }) => outcome)).toEqual(['done', 'done'])
    expect(await left()).toEqual(['undo_partial'])
  })

  test('who say that it did not happen', async () => {
    await reach()
    await bench.answer('repeat')
    expect(await bench.live(changed)).toBe(true)
    expect(await failedStep()).toMatchObject({
      effect: 'done',
      failure: { code: 'connection_changed', message: expect.stringContaining('1 of its requests had changed something') },
    })
    expect((await evidence()).map(({ outcome }) => outcome)).toEqual(['done', 'not_done'])
    expect(await bench.decisions()).toHaveLength(1)
  })

  test('who say that it did not happen, and it was the first', async () => {
    await open('  skill: directory.tag_users\n  with: { users: [ada] }')
    await bench.live(dyingAt(2))
    await bench.live(changed)
    await bench.answer('repeat')
    expect(await bench.live(changed)).toBe(true)
    expect(await failedStep()).toMatchObject({ effect: 'not_sent', failure: { code: 'connection_changed' } })
    expect(await left()).toEqual(['undo_not_happened'])
  })

  test('who give up', async () => {
    await reach()
    await bench.giveUp(changed)
    expect(await failedStep()).toMatchObject({
      effect: 'unknown',
      failure: { code: 'write_in_doubt', message: expect.stringContaining('connection_changed') },
    })
    expect(await left()).toEqual(['undo_in_doubt'])
  })

  test.each(['happened', 'repeat'] as const)('and it continues if it can start again after the answer %s', async (verdict) => {
    await reach()
    await bench.answer(verdict)
    const sent: string[] = []
    expect(await bench.live(handlerSystem(bench, sent, fine))).toBe(true)
    expect(sent).toEqual(verdict === 'repeat' ? ['POST /users/bob/tags {"tag":"vip"}'] : [])
    expect(await bench.ended()).toMatchObject({ state: 'completed' })
    expect(await bench.decisions()).toHaveLength(1)
  })

  test('even if it may be repeated, as nothing can be sent', async () => {
    await open('  skill: directory.merge_tags\n  with: { user: ada, tag: b }')
    await bench.live(system(({ method }) => (method === 'GET' ? answered({ tags: [] }) : Promise.reject(new Crash()))))
    expect(await bench.live(changed)).toBe(false)
    expect(await bench.giveUp(changed)).toMatchObject({ step: 'act#2' })
  })

  test('even if the run was cancelled', async () => {
    await reach()
    await bench.cancel('a drill')
    expect(await bench.live(changed)).toBe(false)
    expect(await bench.decisions()).toHaveLength(1)
    await bench.giveUp(changed)
    expect(await failedStep()).toMatchObject({ failure: { code: 'write_in_doubt' } })
  })

  describe('if it goes another way, because a request that was refused before is answered now', () => {
    const title = async (): Promise<string | undefined> => (await bench.decisions())[0]?.title
    const other: Answer = (call, number) => handlerSystem(bench, [], fine)({ ...call, input: { users: ['eve', 'bob'] } }, number)
    const without: Answer = () => done({ tagged: ['ada'], refused: [] })
    const begin = async (way: Answer): Promise<void> => {
      await open('  skill: directory.tag_users\n  with: { users: [ada] }')
      await bench.live(dyingAt(2))
      expect(await bench.live(way)).toBe(false)
      expect(await bench.ended()).toMatchObject({ state: 'waiting', wakeAt: null })
    }

    test('and asks for another one in its place', async () => {
      await begin(other)
      expect(await title()).toContain('asked for another POST /users/eve/tags')
      await bench.answer('happened')
      expect(await bench.live(other)).toBe(true)
      expect(await bench.ended()).toMatchObject({ state: 'failed', failure: { code: 'journal_mismatch', step: 'act#2' } })
      expect((await evidence()).map(({ outcome }) => outcome)).toEqual(['done'])
    })

    test('and asks for another one in its place, and they give up', async () => {
      await begin(other)
      await bench.giveUp(other)
      expect(await failedStep()).toMatchObject({ effect: 'unknown', failure: { code: 'write_in_doubt' } })
    })

    test('and ends without it', async () => {
      await begin(without)
      expect(await title()).toContain('request 2')
      await bench.answer('repeat')
      expect(await bench.live(without)).toBe(true)
      expect(await bench.ended()).toMatchObject({ state: 'completed' })
      expect((await bench.case()).timeline.map(({ body }) => body.kind)).not.toContain('doubt')
    })
  })

  describe('if it finds no slot for a while', () => {
    const busy: Answer = () => failing('not_sent', 'isolates_busy')

    test('and the run is out of time meanwhile', async () => {
      await open('  skill: directory.tag_users\n  with: { users: [ada] }', 'limits: { time: 1m }')
      await bench.live(dyingAt(2))
      bench.clock.advance(600_000)
      expect(await bench.live(busy)).toBe(false)
      bench.clock.advance(10_000)
      expect(await bench.live(changed)).toBe(false)
      expect(await bench.decisions()).toMatchObject([{ kind: 'in_doubt', state: 'open', step: 'act#2' }])
    })

    test('and the run is cancelled meanwhile, which does not wake it before a slot may be free', async () => {
      await reach()
      await bench.cancel('a drill')
      expect(await bench.live(busy)).toBe(false)
      expect(await bench.ended()).toMatchObject({ state: 'waiting', wakeAt: bench.clock.now() + 10_000 })
    })
  })

  test('and not before it can no longer leave', async () => {
    await open('  skill: directory.tag_users\n  with: { users: [ada] }')
    bench.soon = true
    await bench.live(dyingAt(2))
    expect(await bench.live(changed)).toBe(false)
    expect(await bench.decisions()).toEqual([])
  })
})

describe('its probe tells about its request under way', () => {
  /** The handler cannot start, and its probe finds a state. */
  const finding =
    (state: string): Answer =>
    ({ skill }) =>
      skill.id === 'get_user' ? done({ state }) : failing('not_sent', 'role_too_low')
  const reach = async (): Promise<void> => {
    await open('  skill: directory.stamp_user\n  with: { user: ada }')
    await bench.live(dyingAt(2))
  }

  test('that it happened, so the step is done', async () => {
    await reach()
    expect(await bench.live(finding('sealed'))).toBe(true)
    expect(await bench.ended()).toMatchObject({ state: 'completed' })
    expect(await bench.decisions()).toEqual([])
    expect((await bench.case()).timeline.map(({ body }) => body.kind)).not.toContain('doubt')
  })

  test('that it did not happen, so the step has changed what its earlier requests changed', async () => {
    await reach()
    expect(await bench.live(finding('stamped'))).toBe(true)
    expect(await failedStep()).toMatchObject({
      effect: 'done',
      failure: { code: 'role_too_low', message: expect.stringContaining('1 of its requests had changed something') },
    })
    expect(await bench.decisions()).toEqual([])
  })

  test('nothing, so people are asked', async () => {
    await reach()
    expect(await bench.live(changed)).toBe(false)
    expect(await bench.decisions()).toMatchObject([{ title: expect.stringContaining('directory.get_user could not tell') }])
  })
})

test('it has changed nothing if nothing was answered', async () => {
  await open('  skill: directory.stamp_user\n  with: { user: ada }\n  retry: { attempts: 3, delay: 10m, on: [network] }')
  expect(await bench.live(system(() => notSent))).toBe(false)
  bench.clock.advance(3_600_000)
  expect(await bench.live(changed)).toBe(true)
  expect(await failedStep()).toMatchObject({ effect: 'not_sent' })
  expect(await left()).toEqual(['undo_not_happened'])
})
