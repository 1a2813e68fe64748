import { expect, test } from 'vitest'
import { asId, type DecisionId, type JournalRecord, type SessionId } from '../domain/index.ts'
import { Recorded } from './recorded.ts'

function recorded(...records: JournalRecord[]): Recorded {
  return new Recorded(records.map((record, position) => ({ position, epoch: 1, format: 1, records: [record] })))
}

const intent = (number: number): JournalRecord => ({
  kind: 'intent',
  address: 'suspend',
  try: number,
  digest: 'd',
  connection: 'c',
  revision: 1,
  sendBy: 10,
  at: 1,
})
const tried = (number: number): JournalRecord => ({ kind: 'tried', address: 'suspend', try: number, effect: 'not_sent', code: 'network', at: 1 })

test('a false decision is a decision', () => {
  expect(recorded({ kind: 'decided', address: 'a?', value: false }).decision('a?')).toBe(false)
  expect(recorded().decision('a?')).toBeUndefined()
})

test('an intent that nothing answers leaves the write in doubt', () => {
  expect(recorded(intent(1)).doubtful('suspend')).toMatchObject({ try: 1 })
  expect(recorded(intent(1)).tries('suspend')).toBe(1)
})

test('a try that is known to have changed nothing leaves no doubt; the next intent does again', () => {
  expect(recorded(intent(1), tried(1)).doubtful('suspend')).toBeUndefined()
  expect(recorded(intent(1), tried(1), intent(2)).doubtful('suspend')).toMatchObject({ try: 2 })
})

test('a probe that found nothing settles the doubt of its try', () => {
  const probed: JournalRecord = { kind: 'probed', address: 'suspend', try: 1, happened: false, at: 1 }
  expect(recorded(intent(1), probed).doubtful('suspend')).toBeUndefined()
})

test('what a person was asked about is in doubt until that person has settled it, whatever a probe had found', () => {
  const probed: JournalRecord = { kind: 'probed', address: 'suspend', try: 1, happened: false, at: 1 }
  const asked: JournalRecord = { kind: 'asked', address: 'suspend', decision: asId<DecisionId>('d'), at: 1 }
  expect(recorded(intent(1), probed, asked).doubtful('suspend')).toMatchObject({ try: 1 })
  expect(recorded(asked, intent(1), tried(1)).doubtful('suspend')).toBeUndefined()
})

test('claims and ends say nothing of steps', () => {
  const log = recorded({ kind: 'claimed', epoch: 1, owner: asId<SessionId>('s'), at: 1 })
  expect(log.outcome('')).toBeUndefined()
})

test('what was begun is known by the steps that it lies in, and an act by its step', () => {
  const log = recorded({ ...tried(1), ...{ address: 'each/1/suspend#2' } }, { kind: 'decided', address: 'other?', value: true })
  expect(['each', 'each/1', 'each/1/suspend', 'each/0', 'eac', 'other'].filter((address) => log.touched(address))).toEqual([
    'each',
    'each/1',
    'each/1/suspend',
  ])
  expect(['', 'each', 'each/1', 'other'].map((address) => log.ahead(address))).toEqual([true, true, true, false])
  log.passed('other')
  log.passed('each/1/suspend')
  log.passed('each/1/suspend')
  expect(['', 'each', 'each/1'].map((address) => log.ahead(address))).toEqual([false, false, false])
  expect(log.touched('each/1')).toBe(true)
})
