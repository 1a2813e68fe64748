import { expect, test } from 'vitest'
import { ManualClock } from '../../test/support/clocks/manual-clock.ts'
import { TocsinError } from '../errors/index.ts'
import { createLogger, storeFailures } from './index.ts'

const minute = 60_000
const full = new TocsinError('store_unavailable', 'The store: database or disk is full.')

function listening() {
  const lines: Record<string, unknown>[] = []
  const clock = new ManualClock()
  const logger = createLogger({ level: 'info', destination: { write: (line: string) => void lines.push(JSON.parse(line)) } })
  return { lines, clock, failures: storeFailures(logger, clock), again: () => storeFailures(logger, clock) }
}

test('while the store fails, each kind of line is written once; then one line a minute counts them; recovery is one line', () => {
  const { lines, clock, failures } = listening()
  for (let number = 0; number < 1_000; number += 1) {
    failures.log('warn', full, { err: full, request_id: `r${number}` }, 'request failed')
    if (number % 10 === 0) failures.warn(full, { run: number }, 'stopped')
  }
  expect(lines.splice(0)).toMatchObject([
    { level: 'warn', msg: 'request failed', request_id: 'r0', err: { message: full.message } },
    { level: 'warn', msg: 'stopped', run: 0, error: full.message },
  ])
  clock.advance(minute)
  const left_out = { 'request failed': 999, stopped: 99 }
  expect(lines.splice(0)).toMatchObject([{ level: 'warn', in_all: 1_100, seconds: 60, left_out, error: full.message }])
  failures.warn(full, {}, 'stopped')
  // Reads may work while writes fail.
  failures.answered()
  clock.advance(minute)
  expect(lines.splice(0)).toMatchObject([{ level: 'warn', in_all: 1_101, left_out: { stopped: 1 } }])
  failures.answered()
  expect(lines).toEqual([])
  clock.advance(minute)
  expect(lines.splice(0)).toMatchObject([{ level: 'info', msg: 'the store works again', failures: 1_101, seconds: 60 }])
  failures.answered()
  clock.advance(10 * minute)
  expect(lines).toEqual([])
  failures.warn(full, {}, 'stopped')
  expect(lines).toMatchObject([{ msg: 'stopped' }])
})

test('other errors are logged as they come', () => {
  const { lines, failures } = listening()
  failures.warn(full, {}, 'a sweep failed')
  for (let number = 0; number < 3; number += 1) failures.warn(new Error('a defect'), {}, 'a sweep failed')
  expect(lines.map(({ error }) => error)).toEqual([full.message, 'a defect', 'a defect', 'a defect'])
})

test('the whole process counts together, and at its end it says what it has not said yet', async () => {
  const { lines, clock, failures, again } = listening()
  failures.warn(full, {}, 'a sweep failed')
  again().warn(full, {}, 'a sweep failed')
  expect(lines).toHaveLength(1)
  await again().close()
  expect(lines.slice(1)).toMatchObject([{ left_out: { 'a sweep failed': 1 } }])
  clock.advance(minute)
  expect(lines).toHaveLength(2)
})
