import { expect, test } from 'vitest'
import { asId, type DecisionId, type PrincipalId } from '../ids.ts'
import type { JournalRecord } from './journal.ts'
import { TriedWrites, withoutTurnedAway } from './tried-writes.ts'

const intent = (address: string, number = 1): JournalRecord => ({
  kind: 'intent',
  address,
  try: number,
  digest: 'd',
  connection: 'c',
  revision: 1,
  sendBy: 9,
  at: number,
})
const tried = (effect: 'not_sent' | 'refused', number = 1): JournalRecord => ({
  kind: 'tried',
  address: 'a',
  try: number,
  effect,
  code: 'network',
  at: 1,
})
const away = (number: number): JournalRecord => ({ ...tried('not_sent', number), turnedAway: true }) as JournalRecord
const failed = (effect: 'not_sent' | 'refused' | 'done' | 'unknown'): JournalRecord => ({
  kind: 'failed',
  address: 'a',
  digest: 'd',
  effect,
  failure: { code: 'x', message: '', remedy: null, step: 'a' },
  at: 1,
})
const done: JournalRecord = { kind: 'done', address: 'a', digest: 'd', output: { value: null }, at: 1 }
const cancelled: JournalRecord = { kind: 'cancelled', principal: asId<PrincipalId>('ada'), by: 'ada', reason: null, at: 1 }
const probed = (happened: boolean): JournalRecord => ({ kind: 'probed', address: 'a', try: 1, happened, at: 1 })
const asked: JournalRecord = { kind: 'asked', address: 'a', decision: asId<DecisionId>('d'), at: 1 }
const answered: JournalRecord = { kind: 'answered', address: 'a#2', try: 1, digest: 'd', answer: { value: null }, at: 1 }

test.each<[string, JournalRecord[], string[]]>([
  ['a read leaves nothing', [done], []],
  ['an intent alone is unknown', [intent('a')], ['a unknown']],
  ['a write that was done', [intent('a'), done], ['a done']],
  ['one that was done, whose answer could not be used', [intent('a'), failed('done')], ['a done']],
  ['one that was given up', [intent('a'), failed('unknown')], ['a unknown']],
  ['one that did not leave, or was refused', [intent('a'), tried('not_sent'), intent('a', 2), tried('refused', 2), failed('refused')], []],
  ['one that is known of an earlier try only', [intent('a'), tried('not_sent'), intent('a', 2)], ['a unknown']],
  ['one that the gate turned away', [intent('a'), away(1)], []],
  ['one whose repeat the gate turned away', [intent('a'), intent('a', 2), away(2)], ['a unknown']],
  ['one that left after the gate had turned it away', [intent('a'), away(1), intent('a', 2), done], ['a done']],
  ['one whose repeat was refused', [intent('a'), intent('a', 2), tried('refused', 2)], ['a unknown']],
  ['one that a probe did not find', [intent('a'), probed(false)], []],
  ['one that people were asked about, whatever a probe had found', [intent('a'), probed(false), asked], ['a unknown']],
  ['one that a probe found', [intent('a'), probed(true), done], ['a done']],
  ['the requests of a handler, each by itself', [intent('a#1'), intent('a#2'), answered, failed('refused')], ['a#1 unknown', 'a#2 done']],
])('%s', (_, records, expected) => {
  expect(new TriedWrites(records).sent.map(({ address, outcome }) => `${address} ${outcome}`)).toEqual(expected)
})

test('what begins after a cancellation was not sent, whether or not its life lived to say so', () => {
  for (const records of [
    [cancelled, intent('a')],
    [cancelled, intent('a'), tried('not_sent')],
    [intent('a'), tried('refused'), cancelled, intent('a', 2)],
    [cancelled, intent('a#1')],
  ]) {
    const writes = new TriedWrites(records)
    expect([writes.sent, writes.reached('a')]).toEqual([[], false])
  }
  expect(new TriedWrites([cancelled, intent('a#1')]).begun('a')).toBe(false)
})

test('a repeat for a doubt, and a request of a handler that had begun, leave also after a cancellation', () => {
  expect(new TriedWrites([intent('a'), cancelled, intent('a', 2)]).at('a')?.open).toHaveLength(2)
  expect(new TriedWrites([intent('a#1'), { ...answered, address: 'a#1' } as JournalRecord, cancelled, intent('a#2')]).at('a#2')?.open).toHaveLength(1)
})

/** The numbers of the tries that may have happened, and of those that the target may remember. */
const ofA = (...records: JournalRecord[]): { open: number[]; left: number[] } => {
  const { open = [], left = [] } = new TriedWrites(records).at('a') ?? {}
  return { open: open.map((one) => one.try), left: left.map((one) => one.try) }
}

test.each<[string, JournalRecord[], number[], number[]]>([
  ['all are, of which nothing was heard', [intent('a'), intent('a', 2)], [1, 2], [1, 2]],
  ['not one that was refused, which the target may remember', [intent('a'), intent('a', 2), tried('refused', 2)], [1], [1, 2]],
  ['not one that did not leave', [intent('a'), tried('not_sent'), intent('a', 2)], [2], [2]],
  ['none that a probe did not find', [intent('a'), intent('a', 2), probed(false), intent('a', 3)], [3], [1, 2, 3]],
  ['those that people are asked about', [intent('a'), asked], [1], [1]],
  ['none that people have said to send again', [intent('a'), asked, intent('a', 2)], [2], [1, 2]],
  ['but not what was asked before the first', [asked, intent('a'), intent('a', 2)], [1, 2], [1, 2]],
  ['none of what was done', [intent('a'), intent('a', 2), done], [], [1, 2]],
])('what of a write may have happened: %s', (_, records, open, left) => {
  expect(ofA(...records)).toEqual({ open, left })
})

test('a write is begun, and reached its target or may have, by any of its requests', () => {
  const of = (...records: JournalRecord[]): boolean[] => {
    const writes = new TriedWrites(records)
    return [writes.begun('a'), writes.reached('a')]
  }
  expect(of(intent('b'))).toEqual([false, false])
  expect(of(intent('a'), away(1))).toEqual([false, false])
  expect(of(intent('a'), tried('refused'))).toEqual([true, false])
  expect(of(intent('a#2'))).toEqual([true, true])
  expect(of(intent('a#2'), answered)).toEqual([true, true])
})

test('what the gate turned away is none of the tries', () => {
  const writes = new TriedWrites([intent('a'), away(1), intent('a', 2), tried('refused', 2), intent('a', 3)])
  expect(writes.counted('a')).toBe(2)
  expect(writes.counted('b')).toBe(0)
})

test('what the gate turned away is left out of what was sent', () => {
  const first = intent('a')
  expect(withoutTurnedAway([first, intent('a', 2), away(2), intent('b', 2)])).toEqual([first, intent('b', 2)])
})
