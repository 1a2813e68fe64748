import { expect, test } from 'vitest'
import type { JournalRecord } from './journal.ts'
import { SentWrites, withoutTurnedAway } from './sent-writes.ts'

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
const probed = (happened: boolean): JournalRecord => ({ kind: 'probed', address: 'a', try: 1, happened, at: 1 })
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
  ['one that a probe did not find', [intent('a'), probed(false)], []],
  ['one that a probe found', [intent('a'), probed(true), done], ['a done']],
  ['the requests of a handler, each by itself', [intent('a#1'), intent('a#2'), answered, failed('refused')], ['a#1 unknown', 'a#2 done']],
])('%s', (_, records, expected) => {
  const entries = records.map((record, position) => ({ position, epoch: 1, format: 1 as const, records: [record] }))
  expect(new SentWrites(entries).all.map(({ address, outcome }) => `${address} ${outcome}`)).toEqual(expected)
})

test('what the gate turned away is left out of what was sent', () => {
  const first = intent('a')
  expect(withoutTurnedAway([first, intent('a', 2), away(2), intent('b', 2)])).toEqual([first, intent('b', 2)])
})
