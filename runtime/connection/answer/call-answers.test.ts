import { expect, test } from 'vitest'
import { noTurns } from '../../fairness/index.ts'
import { Answers } from './call-answers.ts'

const large = 2 * 1024 * 1024
const never = new AbortController().signal

/** Returns whether the answer was admitted, after all pending work has run. */
async function isIn(admitted: Promise<void>): Promise<boolean> {
  let done = false
  void admitted.then(() => {
    done = true
  })
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
  return done
}

test('one tenant with many large answers leaves room for the others', async () => {
  const answers = new Answers(noTurns)
  const calls = Array.from({ length: 20 }, () => answers.forCall('mallory'))
  const admitted = await Promise.all(calls.map((call) => isIn(call.admit(large, never))))
  expect(admitted.filter(Boolean)).toHaveLength(12)
  expect(await isIn(answers.forCall('ada').admit(large, never))).toBe(true)
  expect(await isIn(answers.forCall('mallory').admit(1_000, never))).toBe(true)
})

test('a call needs one slot for all its answers, and gives it back', async () => {
  const answers = new Answers(noTurns)
  const calls = Array.from({ length: 13 }, () => answers.forCall('mallory'))
  const [first, ...others] = calls
  if (!first) throw new Error('no call')
  for (let count = 0; count < 20; count += 1) await first.admit(large, never)
  const waiting = await Promise.all(others.map((call) => isIn(call.admit(large, never))))
  expect(waiting.filter(Boolean)).toHaveLength(11)
  first.leave()
  first.leave()
  const last = others.at(-1)
  expect(last && (await isIn(last.admit(large, never)))).toBe(true)
})

test('a call that is abandoned while it waits takes no slot', async () => {
  const answers = new Answers(noTurns)
  const holding = Array.from({ length: 12 }, () => answers.forCall('mallory'))
  await Promise.all(holding.map((call) => call.admit(large, never)))
  const stop = new AbortController()
  const given = answers.forCall('mallory')
  const refused = expect(given.admit(large, stop.signal)).rejects.toThrow('given up')
  stop.abort(new Error('given up'))
  await refused
  given.leave()
  holding[0]?.leave()
  expect(await isIn(answers.forCall('mallory').admit(large, never))).toBe(true)
})
