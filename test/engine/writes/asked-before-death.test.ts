import { afterEach, describe, expect, test } from 'vitest'
import type { Store } from '../../../runtime/storage/index.ts'
import { type Answer, Bench, Crash, call, done, failing, playbook } from '../support/harness.ts'
import { write } from '../support/one-write.ts'

/*
 * A probe cannot tell, so people are asked. The process dies right after that: the store has the question, and the
 * journal does not say so.
 */

let bench: Bench
afterEach(() => bench.close())

const cannotTell: Answer = ({ skill }) => (skill.id === 'get_user' ? failing('refused', 'forbidden') : failing('unknown'))
const finding =
  (state: string): Answer =>
  ({ skill }) =>
    skill.id === 'get_user' ? done({ state }) : Promise.reject(new Error(`${skill.id} was called`))

/** The store of a process that dies when it puts the run to sleep. */
function restless(store: Store): Store {
  const runs = Object.assign(Object.create(store.runs) as Store['runs'], { sleep: () => Promise.reject(new Crash()) })
  return Object.assign(Object.create(store) as Store, { runs })
}

async function dieAfterAsking(text: string): Promise<void> {
  bench = await Bench.open(text)
  expect(await bench.live(cannotTell, restless(bench.store))).toBe(false)
  expect(await bench.decisions()).toMatchObject([{ kind: 'in_doubt', state: 'open' }])
  expect((await bench.records()).some(({ kind }) => kind === 'asked')).toBe(false)
}

describe.each(['unpaired', 'paired'])('a probe would find %s now', (state) => {
  test('the question stays, and its answer counts', async () => {
    await dieAfterAsking(write('unpair_user'))
    expect(await bench.live(finding(state))).toBe(false)
    expect(await bench.decisions()).toMatchObject([{ state: 'open' }])
    await bench.answer('happened')
    expect(await bench.live(finding(state))).toBe(true)
    expect(await bench.ended()).toMatchObject({ state: 'completed' })
    expect(bench.called.filter((one) => one === 'unpair_user ada')).toHaveLength(1)
  })

  test('an answer before the next execution counts', async () => {
    await dieAfterAsking(write('unpair_user'))
    await bench.answer('happened')
    expect(await bench.live(finding(state))).toBe(true)
    expect(await bench.ended()).toMatchObject({ state: 'completed' })
    expect(bench.called.filter((one) => one === 'unpair_user ada')).toHaveLength(1)
  })

  test('a run that cannot continue does not end while its question is open', async () => {
    await dieAfterAsking(playbook(call('act', 'unpair_user', 'ada')))
    bench.gone = 'playbook'
    expect(await bench.live(finding(state))).toBe(false)
    expect(await bench.decisions()).toMatchObject([{ state: 'open' }])
    await bench.answer('happened')
    expect(await bench.live(finding(state))).toBe(true)
    expect(await bench.decisions()).toMatchObject([{ state: 'settled', answers: [{ verdict: 'happened' }] }])
  })
})
