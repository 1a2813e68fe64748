import { expect, test } from 'vitest'
import { ManualClock } from '../../test/support/clocks/manual-clock.ts'
import { TocsinError } from '../errors/index.ts'
import { readyCheck } from './ready-check.ts'

test('a part that answers is ready', async () => {
  expect(await readyCheck('store', async () => {}, new ManualClock())).toEqual({ name: 'store', ok: true })
})

test('a part that does not answer in time is named, and the others are not held up', async () => {
  const clock = new ManualClock()
  const checks = [readyCheck('store', () => new Promise(() => {}), clock), readyCheck('queue', async () => {}, clock)]
  expect(await checks[1]).toEqual({ name: 'queue', ok: true })
  clock.advance(5_000)
  expect(await checks[0]).toEqual({ name: 'store', ok: false, why: 'There was no answer within 5 s.' })
})

test('a failure is told without the words of the driver, which are for the log', async () => {
  const fails = (error: Error) => readyCheck('store', () => Promise.reject(error), new ManualClock())
  const cause = new Error('connect ECONNREFUSED 10.0.0.5:27017')
  const told = { name: 'store', ok: false, cause: cause.message, why: 'MongoDB does not answer.' }
  expect(await fails(new TocsinError('store_unavailable', 'MongoDB does not answer.', [], { cause }))).toEqual(told)
  expect(await fails(cause)).toEqual({ name: 'store', ok: false, cause: cause.message })
})
