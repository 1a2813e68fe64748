import { expect, test } from 'vitest'
import { asId, type JournalRecord, type SessionId } from '../../domain/index.ts'
import { Replay } from './replay.ts'

function recorded(...records: JournalRecord[]): Replay {
  return new Replay(records.map((record, position) => ({ position, epoch: 1, format: 1, records: [record] })))
}

const tried: JournalRecord = { kind: 'tried', address: 'each/1/suspend#2', try: 1, effect: 'not_sent', code: 'network', at: 1 }

test('a false decision is a decision', () => {
  expect(recorded({ kind: 'decided', address: 'a?', value: false }).decision('a?')).toBe(false)
  expect(recorded().decision('a?')).toBeUndefined()
})

test('claims and ends say nothing about steps', () => {
  const log = recorded({ kind: 'claimed', epoch: 1, owner: asId<SessionId>('s'), at: 1 })
  expect(log.outcome('')).toBeUndefined()
})

test("a begun step counts for all steps around it, and a handler's request for its step", () => {
  const log = recorded(tried, { kind: 'decided', address: 'other?', value: true })
  expect(['each', 'each/1', 'each/1/suspend', 'each/0', 'eac', 'other'].filter((address) => log.hasBegun(address))).toEqual([
    'each',
    'each/1',
    'each/1/suspend',
  ])
  expect(['', 'each', 'each/1', 'other'].map((address) => log.isReplaying(address))).toEqual([true, true, true, false])
  log.markReplayed('other')
  log.markReplayed('each/1/suspend')
  log.markReplayed('each/1/suspend')
  expect(['', 'each', 'each/1'].map((address) => log.isReplaying(address))).toEqual([false, false, false])
  expect(log.hasBegun('each/1')).toBe(true)
})
