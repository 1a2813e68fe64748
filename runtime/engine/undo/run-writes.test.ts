import { expect, test } from 'vitest'
import type { JournalRecord } from '../../domain/index.ts'
import { writesOf } from './run-writes.ts'

const at = 1
const write = { skill: 'dir.suspend', connection: { id: 'c' as never, revision: 1, instance: 'dir' }, target: 'ada', input: { value: {} } }
const intent = (address: string, tries = 1): JournalRecord => ({
  kind: 'intent',
  address,
  try: tries,
  digest: 'd',
  connection: 'c',
  revision: 1,
  sendBy: 9,
  at,
})
const done = (address: string, parts: object = { write }): JournalRecord => ({
  kind: 'done',
  address,
  digest: 'd',
  output: { value: 1 },
  at,
  ...parts,
})
const failed = (address: string, effect: 'not_sent' | 'refused' | 'done' | 'unknown', code = 'x'): JournalRecord => ({
  kind: 'failed',
  address,
  digest: 'd',
  effect,
  failure: { code, message: 'm', remedy: null, step: address },
  write,
  at,
})
const tried = (address: string, tries = 1): JournalRecord => ({ kind: 'tried', address, try: tries, effect: 'refused', code: 'rate_limited', at })
const answered = (address: string): JournalRecord => ({ kind: 'answered', address, try: 1, digest: 'd', answer: { value: {} }, at })

const ends = (...records: readonly JournalRecord[]): readonly string[] =>
  writesOf(records).map(({ address, end, changed }) => `${address} ${end} ${changed}`)

test('writes come in the order in which they ended; reads are not included', () => {
  expect(ends(intent('a'), intent('b'), done('b'), done('read', {}), done('a'))).toEqual(['b done yes', 'a done yes'])
})

test('each write says whether it changed anything', () => {
  expect(ends(done('a', { write: { ...write, changed: 'no' } }), done('b', { write: { ...write, changed: 'perhaps' } }))).toEqual([
    'a done no',
    'b done perhaps',
  ])
})

test.each([
  ['refused', 'not_happened'],
  ['not_sent', 'not_happened'],
  ['unknown', 'in_doubt'],
  // It succeeded, but its answer could not be used.
  ['done', 'done'],
] as const)('a failure whose effect is %s: %s', (effect, end) => {
  const told = effect === 'refused' || effect === 'not_sent' ? [tried('a')] : []
  expect(ends(intent('a'), ...told, failed('a', effect))).toEqual([`a ${end} yes`])
})

test('a refused repeat says nothing about the try before it', () => {
  expect(ends(intent('a'), intent('a', 2), tried('a', 2), failed('a', 'refused'))).toEqual(['a in_doubt yes'])
})

test('a handler that failed after a change has happened in part, unless it had finished', () => {
  expect(ends(intent('a#1'), answered('a#1'), failed('a', 'done'))).toEqual(['a partial yes'])
  for (const code of ['output_too_large', 'skill_output_invalid'])
    expect(ends(intent('a#1'), answered('a#1'), failed('a', 'done', code))).toEqual(['a done yes'])
})

test('a call with some failed items has happened in part', () => {
  expect(ends(intent('a'), failed('a', 'done', 'items_failed'))).toEqual(['a partial yes'])
})

test('writes without an outcome come last: in doubt, unless no request of them happened', () => {
  expect(ends(intent('a'), done('b'))).toEqual(['b done yes', 'a in_doubt yes'])
  expect(ends(intent('a'), tried('a'))).toEqual(['a not_happened yes'])
  expect(ends(intent('a'), tried('a'), intent('a', 2))).toEqual(['a in_doubt yes'])
  expect(ends(intent('a#1'), answered('a#1'), intent('a#2'), tried('a#2'))).toEqual(['a partial yes'])
  expect(ends(intent('a#1'), answered('a#1'), intent('a#2'))).toEqual(['a in_doubt yes'])
  expect(writesOf([intent('a'), tried('a')])).toMatchObject([{ ended: false, code: 'rate_limited' }])
})

test('a write is listed even if its input was not kept', () => {
  expect(writesOf([intent('a'), done('a', {})])).toMatchObject([{ address: 'a', end: 'done', ended: true, sent: null }])
})
