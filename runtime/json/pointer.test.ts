import { expect, test } from 'vitest'
import { partAt, pointerPattern } from './pointer.ts'

const value = { event: { id: 7, 'a/b': 'slash', 'm~n': 'tilde', '': 'empty' }, list: [{ name: 'first' }], null: null }

test.each([
  ['/event/id', 7],
  ['/event/a~1b', 'slash'],
  ['/event/m~0n', 'tilde'],
  ['/event/', 'empty'],
  ['/list/0/name', 'first'],
  ['/null', null],
  ['/list/1', undefined],
  ['/list/00', undefined],
  ['/list/-', undefined],
  ['/list/length', undefined],
  ['/event/id/more', undefined],
  ['/null/more', undefined],
  ['/__proto__/constructor', undefined],
])('%s', (pointer, expected) => {
  expect(pointer).toMatch(new RegExp(pointerPattern, 'u'))
  expect(partAt(value, pointer)).toEqual(expected)
})

test.each(['', 'event', 'event/id', '/a~b', '/~', '#/event'])('%j is no pointer to a part', (text) => {
  expect(text).not.toMatch(new RegExp(pointerPattern, 'u'))
})
