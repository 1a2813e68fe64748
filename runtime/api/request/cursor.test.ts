import { expect, test } from 'vitest'
import { cursorsOf } from './cursor.ts'

const cursors = cursorsOf('alerts', { status: ['15'] })
const cursor = cursors.encode([1_800_000_000_000, '01890000-0000-7000-8000-000000000000'])

test('a cursor gives its position back', () => {
  expect(cursors.decode(cursor)).toEqual([1_800_000_000_000, '01890000-0000-7000-8000-000000000000'])
})

test('a cursor of another listing or with other filters is refused', () => {
  expect(() => cursorsOf('cases', { status: ['15'] }).decode(cursor)).toThrow('cursor')
  expect(() => cursorsOf('alerts', { status: ['20'] }).decode(cursor)).toThrow('cursor')
  expect(() => cursorsOf('alerts', {}).decode(cursor)).toThrow('cursor')
})

test('a cursor with any character changed, added or left out is refused', () => {
  for (let at = 0; at < cursor.length; at++) {
    const other = cursor[at] === 'A' ? 'B' : 'A'
    expect(() => cursors.decode(cursor.slice(0, at) + other + cursor.slice(at + 1))).toThrow('cursor')
    expect(() => cursors.decode(cursor.slice(0, at) + cursor.slice(at + 1))).toThrow('cursor')
  }
  for (const wrong of [`${cursor}A`, `${cursor}=`, ` ${cursor}`, '', 'x', 'null', '%', '\u{1f600}'])
    expect(() => cursors.decode(wrong)).toThrow('cursor')
})

test('a position that is no list of texts and whole numbers is refused, even with a right digest', () => {
  // The digest is not secret, so a sender could make this cursor.
  const forged = cursorsOf('alerts', {}).encode([{ $gt: '' }] as unknown as string[])
  expect(() => cursorsOf('alerts', {}).decode(forged)).toThrow('cursor')
})
