import { expect, test } from 'vitest'
import { asId, type DecisionId, type JournalRecord, type SessionId } from '../../domain/index.ts'
import { Waits } from './waits.ts'

const asked = (name: string, at: number) => ({ kind: 'asked', address: name, decision: asId<DecisionId>(name), at }) as const
const heard = (name: string, at: number) => ({ kind: 'heard', address: name, decision: asId<DecisionId>(name), at }) as const

function waits(...records: JournalRecord[]): Waits {
  return new Waits([{ position: 1, epoch: 1, format: 1, records }])
}

test('a run that never asked has not waited', () => {
  expect(waits().total(1_000)).toBe(0)
})

test('a question counts until its answer is seen, and an open one until now', () => {
  expect(waits(asked('a', 100), heard('a', 150)).total(1_000)).toBe(50)
  expect(waits(asked('a', 100)).total(1_000)).toBe(900)
  expect(waits(asked('a', 100)).open).toEqual(['a'])
  expect(waits(asked('a', 100), heard('a', 150)).open).toEqual([])
})

test('a question that a later execution repeats counts from the first time', () => {
  expect(waits(asked('a', 100), asked('a', 400)).total(500)).toBe(400)
})

test('questions that overlap count once', () => {
  expect(waits(asked('a', 100), asked('b', 120), heard('a', 150), heard('b', 200)).total(1_000)).toBe(100)
  expect(waits(asked('a', 100), asked('b', 120), heard('b', 130), heard('a', 200)).total(1_000)).toBe(100)
  expect(waits(asked('a', 100), heard('a', 150), asked('b', 300), heard('b', 310)).total(1_000)).toBe(60)
})

test('a pause counts from the last record of the execution before it, which may have gone on reading', () => {
  const claimed = (at: number, heldSince: number) => ({ kind: 'claimed', epoch: 1, owner: asId<SessionId>('s'), at, heldSince }) as const
  const over = { kind: 'decided', address: 'a', value: 1 } as const
  expect(waits(claimed(500, 100)).total(1_000)).toBe(400)
  expect(waits(asked('a', 10), heard('a', 10), over, claimed(500, 100)).total(1_000)).toBe(400)
  expect(waits(asked('a', 300), heard('a', 300), over, claimed(500, 100)).total(1_000)).toBe(200)
  const later = waits(asked('a', 300), heard('a', 300))
  later.addPause(100, 500)
  expect(later.total(1_000)).toBe(200)
})
