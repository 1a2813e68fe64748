import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ManualClock } from '../../../../test/support/clocks/manual-clock.ts'
import type { Ids, NewAlert } from '../../../domain/index.ts'
import { inLane } from '../../../fairness/index.ts'
import { BulkTurns } from '../client/index.ts'
import type { Collections } from '../database/index.ts'
import { alertInserter } from './alert-insert.ts'
import type { LateWords } from './late-words.ts'

function alert(uuid: string): NewAlert {
  const alone = { uuid, organization: 'o', provider: 'siem', numberedAs: 'ACME', type: 'theft', tokens: ['word'], idempotency: null }
  return alone as unknown as NewAlert
}

const alerts = (name: string, count: number): readonly NewAlert[] => Array.from({ length: count }, (_, index) => alert(`${name} ${index}`))

/** Inserts whose bulks get their numbers when the test says so. `taken` says how many numbers each bulk has asked for. */
function stage() {
  const taken: number[] = []
  const numbers: ((first: number) => void)[] = []
  const inserted = { insertMany: async () => undefined }
  let uuid = 0
  const insert = alertInserter({
    collections: { alerts: inserted, alertWords: inserted } as unknown as Collections,
    turns: new BulkTurns({ busy: 1, quiet: 2 }, new ManualClock()),
    take: (_, count) => {
      taken.push(count)
      return new Promise((resolve) => numbers.push(resolve))
    },
    clock: new ManualClock(),
    ids: { uuid: () => String(uuid++) } as unknown as Ids,
    late: { isLate: () => false } as unknown as LateWords,
  })
  return { insert, taken, numbers }
}

test('while a flood is inserted, an alert of another lane is inserted beside it, and those of the flood wait', async () => {
  const { insert, taken, numbers } = stage()
  void inLane('flood', () => insert(alerts('flood', 20)))
  await setImmediate()
  void inLane('flood', () => insert(alerts('next', 3)))
  const light = inLane('light', () => insert([alert('light')]))
  await setImmediate()
  expect(taken).toEqual([20, 1])
  numbers[1]?.(7)
  expect((await light).map(({ alert: { uuid, alertId } }) => [uuid, alertId])).toEqual([['light', 'ACME-7']])
  numbers[0]?.(8)
  await setImmediate()
  await setImmediate()
  expect(taken).toEqual([20, 1, 3])
})

test('without a flood, alerts of all lanes share the next bulk', async () => {
  const { insert, taken, numbers } = stage()
  void inLane('one', () => insert(alerts('one', 2)))
  await setImmediate()
  void inLane('two', () => insert(alerts('two', 2)))
  void inLane('three', () => insert([alert('three')]))
  await setImmediate()
  expect(taken).toEqual([2])
  numbers[0]?.(1)
  await setImmediate()
  await setImmediate()
  expect(taken).toEqual([2, 3])
})
