import { expect, test } from 'vitest'
import { ManualClock } from '../../../../test/support/clocks/manual-clock.ts'
import { currentLane, inLane } from '../../../fairness/index.ts'
import { ClaimsToShow, type ClaimToShow } from './claims-to-show.ts'

const claim = (run: string, caseId = 'ACME-1'): ClaimToShow => ({ run: { _id: run }, case: { caseId }, at: 0 }) as unknown as ClaimToShow
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Claims that wait, and what was written into their alerts. `answers` decides about the next writes: by default, all succeed. */
function stage() {
  const clock = new ManualClock()
  const written: string[] = []
  const answers: (() => Promise<void>)[] = []
  const claims = new ClaimsToShow(clock, async ({ run, case: { caseId } }) => {
    written.push(`${run._id} ${caseId}`)
    await answers.shift()?.()
  })
  const pass = async (): Promise<void> => {
    clock.advance(250)
    await turn()
  }
  return { clock, written, answers, claims, pass }
}

const fails = (): Promise<void> => Promise.reject(new Error('no primary'))

/** Returns whether the promise has resolved. */
async function isDone(promise: Promise<void>): Promise<boolean> {
  let done = false
  void promise.then(() => {
    done = true
  })
  await turn()
  return done
}

test('a claim is written after once to twice the time, together with others that have waited as long', async () => {
  const { claims, written, pass } = stage()
  claims.later(claim('a'))
  await pass()
  claims.later(claim('b'))
  const shown = claims.shown('b' as never)
  expect(written).toEqual([])
  await pass()
  expect(written).toEqual(['a ACME-1'])
  expect(await isDone(shown)).toBe(false)
  await pass()
  expect(written).toEqual(['a ACME-1', 'b ACME-1'])
  expect(await isDone(shown)).toBe(true)
  await pass()
  expect(written).toHaveLength(2)
})

test('a claim that the end of its run takes along is not written', async () => {
  const { claims, written, pass } = stage()
  claims.later(claim('a'))
  const shown = claims.shown('a' as never)
  expect(claims.take('a' as never)).toMatchObject({ case: { caseId: 'ACME-1' } })
  expect(claims.take('a' as never)).toBeNull()
  expect(await isDone(shown)).toBe(true)
  for (let times = 0; times < 3; times++) await pass()
  expect(written).toEqual([])
})

test('an end takes a claim along whose write is under way, because that write may come too late', async () => {
  const { claims, answers, written } = stage()
  const answer = Promise.withResolvers<void>()
  answers.push(() => answer.promise)
  claims.later(claim('a'))
  const now = claims.now('a' as never)
  expect(claims.take('a' as never)).not.toBeNull()
  answer.resolve()
  await now
  expect(claims.take('a' as never)).toBeNull()
  expect(written).toEqual(['a ACME-1'])
})

test('what cannot be written is tried again, and whoever needs it now is told', async () => {
  const { claims, answers, written, pass } = stage()
  claims.later(claim('a'))
  answers.push(fails)
  await expect(claims.now('a' as never)).rejects.toThrow('no primary')
  answers.push(fails)
  await pass()
  await pass()
  expect(written).toHaveLength(2)
  await pass()
  expect(written).toHaveLength(3)
  expect(claims.take('a' as never)).toBeNull()
})

test('several who need it now share a write; without a claim there is none', async () => {
  const { claims, written } = stage()
  claims.later(claim('a'))
  await Promise.all([claims.now('a' as never), claims.now('a' as never), claims.now('b' as never)])
  expect(written).toEqual(['a ACME-1'])
})

test('closing writes what is left, even if the store no longer takes it', async () => {
  const { claims, answers, written } = stage()
  answers.push(fails)
  claims.later(claim('a'))
  claims.later(claim('b'))
  await claims.close()
  expect(written).toEqual(['a ACME-1', 'b ACME-1'])
})

test('claims are shown for no lane, because they are those of many', async () => {
  const clock = new ManualClock()
  const lanes: (string | null)[] = []
  const claims = new ClaimsToShow(clock, async () => void lanes.push(currentLane()))
  claims.later(claim('a'))
  for (let tick = 0; tick < 2; tick++) inLane('flood', () => clock.advance(250))
  await turn()
  expect(lanes).toEqual([null])
})
