import { afterEach, describe, expect, test } from 'vitest'
import { writesInCase } from '../../../runtime/domain/index.ts'
import { fine, handlerSystem } from '../support/handler-system.ts'
import { type Answer, Bench, Crash, call, done, failing, playbook } from '../support/harness.ts'
import { UndoBench } from '../support/undo-bench.ts'

/*
 * The process dies during a write. When the run is claimed again, its playbook or its plugin is gone, or the run fails
 * before it comes to the write.
 */

let bench: Bench
afterEach(() => bench.close())

const dying: Answer = () => {
  throw new Crash()
}
const never: Answer = ({ skill }) => Promise.reject(new Error(`${skill.id} was called`))
/** The probe finds a state. Nothing else is called. */
const finding =
  (state: string): Answer =>
  ({ skill }) =>
    skill.id === 'get_user' ? done({ state }) : Promise.reject(new Error(`${skill.id} was called`))
const doubts = async () => (await bench.case()).timeline.filter(({ body }) => body.kind === 'doubt')
const inCase = async () => writesInCase((await bench.case()).timeline)

async function die(steps: string): Promise<void> {
  bench = await Bench.open(playbook(steps))
  expect(await bench.live(dying)).toBe(false)
}

describe.each([
  ['playbook', 'playbook_unknown'],
  ['plugin', 'integration_unknown'],
] as const)('a run whose %s is gone', (gone, code) => {
  test('asks about its write in doubt before it fails', async () => {
    await die(call('page', 'page_user', 'ada'))
    bench.gone = gone
    expect(await bench.live(never)).toBe(false)
    expect(await bench.ended()).toMatchObject({ state: 'waiting', wakeAt: null })
    expect(await bench.decisions()).toMatchObject([
      {
        kind: 'in_doubt',
        state: 'open',
        final: true,
        step: 'page',
        title: expect.stringMatching(`Did directory.page_user on ada happen\\? .*${code}`),
        actions: [{ skill: 'directory.page_user', target: 'ada', input: { user: 'ada' } }],
      },
    ])
    await bench.answer('happened')
    expect(await bench.live(never)).toBe(true)
    expect(await bench.ended()).toMatchObject({ state: 'failed', failure: { code } })
    expect(await inCase()).toMatchObject([{ skill: 'directory.page_user', target: 'ada', state: 'stands' }])
    expect(await doubts()).toEqual([])
  })

  test('asks once, and its case keeps what nobody knows', async () => {
    await die(call('page', 'page_user', 'ada'))
    bench.gone = gone
    await bench.live(never)
    await bench.giveUp()
    expect(await bench.ended()).toMatchObject({ state: 'failed', failure: { code } })
    expect(await bench.decisions()).toHaveLength(1)
    expect(await inCase()).toMatchObject([{ skill: 'directory.page_user', state: 'in_doubt' }])
  })

  test('asks only when the write cannot leave any more', async () => {
    bench = await Bench.open(playbook(call('page', 'page_user', 'ada')))
    bench.soon = true
    await bench.live(dying)
    bench.gone = gone
    expect(await bench.live(never)).toBe(false)
    expect(await bench.decisions()).toEqual([])
    expect((await bench.ended()).wakeAt).toBeGreaterThan(bench.clock.now())
  })

  test('asks even if it was cancelled', async () => {
    await die(call('page', 'page_user', 'ada'))
    bench.gone = gone
    await bench.cancel('a drill')
    expect(await bench.live(never)).toBe(false)
    await bench.giveUp()
    expect(await bench.ended()).toMatchObject({ state: 'failed', failure: { code: 'run_cancelled' } })
  })

  test('takes the answer to the question of an earlier execution', async () => {
    bench = await Bench.open(playbook(call('page', 'page_user', 'ada')))
    expect(await bench.live(() => failing('unknown'))).toBe(false)
    await bench.answer('repeat')
    bench.gone = gone
    expect(await bench.live(never)).toBe(true)
    expect(await inCase()).toMatchObject([])
    expect(await bench.decisions()).toHaveLength(1)
  })

  test('fails at once if nothing is in doubt', async () => {
    bench = await Bench.open(playbook(`${call('page', 'page_user', 'ada')}\n- id: rest\n  wait: { for: 1h }`))
    expect(await bench.live(() => done({}))).toBe(false)
    bench.clock.advance(3_600_000)
    bench.gone = gone
    expect(await bench.live(never)).toBe(true)
    expect(await bench.ended()).toMatchObject({ state: 'failed', failure: { code } })
  })
})

describe('a run whose playbook is gone uses the probe of its plugin', () => {
  const reach = async (): Promise<void> => {
    await die(call('unpair', 'unpair_user', 'ada'))
    bench.gone = 'playbook'
  }

  test('which finds the write', async () => {
    await reach()
    expect(await bench.live(finding('unpaired'))).toBe(true)
    expect(await bench.ended()).toMatchObject({ state: 'failed', failure: { code: 'playbook_unknown' } })
    expect(await bench.decisions()).toEqual([])
    expect(await inCase()).toMatchObject([{ skill: 'directory.unpair_user', state: 'stands' }])
    expect(await bench.records()).toContainEqual(
      expect.objectContaining({ kind: 'done', address: 'unpair', write: expect.objectContaining({ changed: 'perhaps' }) }),
    )
  })

  test('which does not find it', async () => {
    await reach()
    expect(await bench.live(finding('paired'))).toBe(true)
    expect(await bench.decisions()).toEqual([])
    expect(await inCase()).toEqual([])
    expect(await doubts()).toEqual([])
  })

  test('which does not find it when somebody may have undone it meanwhile', async () => {
    await reach()
    bench.clock.advance(3_600_000)
    expect(await bench.live(finding('paired'))).toBe(false)
    expect(await bench.decisions()).toMatchObject([{ title: expect.stringContaining('directory.get_user does not find it') }])
  })

  test('which cannot tell', async () => {
    await reach()
    expect(await bench.live(() => failing('refused', 'role_too_low'))).toBe(false)
    expect(await bench.decisions()).toMatchObject([{ title: expect.stringContaining('directory.get_user could not tell') }])
  })

  test('about a request of a handler', async () => {
    const begun = async (steps: string): Promise<void> => {
      bench = await Bench.open(playbook(steps))
      await bench.live(handlerSystem(bench, [], (request, number) => (number === 2 ? Promise.reject(new Crash()) : fine(request))))
    }
    await begun('- id: act\n  skill: directory.stamp_user\n  with: { user: ada }')
    bench.gone = 'playbook'
    expect(await bench.live(finding('sealed'))).toBe(true)
    expect(await bench.decisions()).toEqual([])
    expect(await inCase()).toMatchObject([{ skill: 'directory.stamp_user', state: 'stands' }])
    expect(await doubts()).toEqual([])
  })
})

test('a run that fails before it comes to its write in doubt asks about it', async () => {
  const steps = (user: string) => playbook(`${call('look', 'get_user', user)}\n${call('page', 'page_user', 'ada')}`)
  bench = await Bench.open(steps('bob'))
  await bench.live((called) => (called.skill.id === 'get_user' ? done({ state: 'x' }) : dying(called, 1)))
  bench.swap(steps('eve'))
  expect(await bench.live(never)).toBe(false)
  expect(await bench.decisions()).toMatchObject([{ kind: 'in_doubt', step: 'page', title: expect.stringContaining('journal_mismatch') }])
  await bench.answer('happened')
  expect(await bench.live(never)).toBe(true)
  expect(await bench.ended()).toMatchObject({ state: 'failed', failure: { code: 'journal_mismatch' } })
  expect(await inCase()).toMatchObject([{ skill: 'directory.page_user', state: 'stands' }])
})

test('an undo whose plugin is gone asks about its write in doubt', async () => {
  const undoing = await UndoBench.ended(call('suspend', 'suspend_user', 'ada'))
  bench = undoing.bench
  await undoing.begin()
  expect(await undoing.live(dying)).toBe(false)
  bench.gone = 'plugin'
  expect(await undoing.live(never)).toBe(false)
  expect(await undoing.decisions()).toMatchObject([{ kind: 'in_doubt', final: true, actions: [{ skill: 'directory.activate_user', target: 'ada' }] }])
  await undoing.answer('give_up')
  expect(await undoing.live(never)).toBe(true)
  expect(await undoing.undoRun()).toMatchObject({ state: 'failed', failure: { code: 'integration_unknown' } })
})
