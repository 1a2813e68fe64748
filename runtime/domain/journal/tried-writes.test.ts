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
  ['a write that was done, with an unusable answer', [intent('a'), failed('done')], ['a done']],
  ['a write that was given up', [intent('a'), failed('unknown')], ['a unknown']],
  ['a write that did not leave, or was refused', [intent('a'), tried('not_sent'), intent('a', 2), tried('refused', 2), failed('refused')], []],
  ['a write with only an earlier try known', [intent('a'), tried('not_sent'), intent('a', 2)], ['a unknown']],
  ['a write that the pause check refused', [intent('a'), away(1)], []],
  ['a write whose repeat the pause check refused', [intent('a'), intent('a', 2), away(2)], ['a unknown']],
  ['a write that left after the pause check had refused it once', [intent('a'), away(1), intent('a', 2), done], ['a done']],
  ['a write whose repeat was refused', [intent('a'), intent('a', 2), tried('refused', 2)], ['a unknown']],
  ['a write that a probe did not find', [intent('a'), probed(false)], []],
  ['a write that people were asked about, whatever a probe found', [intent('a'), probed(false), asked], ['a unknown']],
  ['a write that a probe found', [intent('a'), probed(true), done], ['a done']],
  ['each request of a handler', [intent('a#1'), intent('a#2'), answered, failed('refused')], ['a#1 unknown', 'a#2 done']],
])('%s', (_, records, expected) => {
  expect(new TriedWrites(records).sent.map(({ address, outcome }) => `${address} ${outcome}`)).toEqual(expected)
})

const act = (kind: 'tried' | 'answered' | 'probed', more: object): JournalRecord =>
  ({ kind, address: 'a#2', try: 1, at: 1, ...more }) as JournalRecord

test.each<[string, JournalRecord[], string[], string[]]>([
  ['until its step has an outcome', [intent('a#2')], ['a#2 unknown'], ['a#2']],
  ['also if a probe found it, until its step is done', [intent('a#2'), act('probed', { happened: true })], ['a#2 unknown'], ['a#2']],
  ['unless a probe found it', [intent('a#2'), act('probed', { happened: true }), done], ['a#2 done'], []],
  ['or people gave it up', [intent('a#2'), failed('unknown')], ['a#2 unknown'], []],
  ['or a probe did not find it', [intent('a#2'), act('probed', { happened: false })], [], []],
])("a handler's request in doubt is unsettled %s", (_, records, sent, unsettled) => {
  const writes = new TriedWrites(records)
  expect(writes.sent.map(({ address, outcome }) => `${address} ${outcome}`)).toEqual(sent)
  expect(writes.unsettled.map(({ address }) => address)).toEqual(unsettled)
})

test('a write that people gave up is settled', () => {
  expect(new TriedWrites([intent('a')]).unsettled).toHaveLength(1)
  expect(new TriedWrites([intent('a'), failed('unknown')]).unsettled).toEqual([])
})

test('a write that begins after a cancellation was not sent, even if its process died before it recorded that', () => {
  for (const records of [
    [cancelled, intent('a')],
    [cancelled, intent('a'), tried('not_sent')],
    [intent('a'), tried('refused'), cancelled, intent('a', 2)],
    [cancelled, intent('a#1')],
    [intent('a#1'), { ...tried('refused'), address: 'a#1' } as JournalRecord, cancelled, intent('a#1', 2)],
  ]) {
    const writes = new TriedWrites(records)
    expect([writes.sent, writes.reached('a')]).toEqual([[], false])
  }
  expect(new TriedWrites([cancelled, intent('a#1')]).begun('a')).toBe(false)
})

test('a repeat of a write in doubt, and a request of a handler that had changed something, are sent even after a cancellation', () => {
  expect(new TriedWrites([intent('a'), cancelled, intent('a', 2)]).at('a')?.open).toHaveLength(2)
  expect(new TriedWrites([intent('a#1'), { ...answered, address: 'a#1' } as JournalRecord, cancelled, intent('a#2')]).at('a#2')?.open).toHaveLength(1)
})

/** Returns the numbers of the tries that may have happened, and of those that the external system may know. */
const ofA = (...records: JournalRecord[]): { open: number[]; left: number[] } => {
  const { open = [], left = [] } = new TriedWrites(records).at('a') ?? {}
  return { open: open.map((one) => one.try), left: left.map((one) => one.try) }
}

test.each<[string, JournalRecord[], number[], number[]]>([
  ['all tries without a record of their result', [intent('a'), intent('a', 2)], [1, 2], [1, 2]],
  ['no refused try, although the target may know it', [intent('a'), intent('a', 2), tried('refused', 2)], [1], [1, 2]],
  ['no try that did not leave', [intent('a'), tried('not_sent'), intent('a', 2)], [2], [2]],
  ['no try that a probe did not find', [intent('a'), intent('a', 2), probed(false), intent('a', 3)], [3], [1, 2, 3]],
  ['the tries that people are asked about', [intent('a'), asked], [1], [1]],
  ['no try that people said to send again', [intent('a'), asked, intent('a', 2)], [2], [1, 2]],
  ['a question before the first try changes nothing', [asked, intent('a'), intent('a', 2)], [1, 2], [1, 2]],
  ['no try once the write is done', [intent('a'), intent('a', 2), done], [], [1, 2]],
])('tries of a write that may have happened: %s', (_, records, open, left) => {
  expect(ofA(...records)).toEqual({ open, left })
})

test('each request of a write can show that it has begun, or has reached its target', () => {
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

test('a try that the pause check refused does not count', () => {
  const writes = new TriedWrites([intent('a'), away(1), intent('a', 2), tried('refused', 2), intent('a', 3)])
  expect(writes.counted('a')).toBe(2)
  expect(writes.counted('b')).toBe(0)
})

test('tries that the pause check refused are left out of what was sent', () => {
  const first = intent('a')
  expect(withoutTurnedAway([first, intent('a', 2), away(2), intent('b', 2)])).toEqual([first, intent('b', 2)])
})
