import { expect, test } from 'vitest'
import { excessOf } from './excess.ts'

const none = { characters: Number.POSITIVE_INFINITY, values: Number.POSITIVE_INFINITY, names: Number.POSITIVE_INFINITY }

/** Returns the lowest limit that a text does not exceed. */
function least(limit: 'values' | 'names', text: string): number {
  let most = 0
  while (excessOf(text, { ...none, [limit]: most }) !== null) most += 1
  return most
}

test.each([
  ['1', 1, 0],
  ['"a,b[c{d:"', 1, 0],
  ['[1,2,3]', 4, 0],
  ['{"a":{"b":[1,{"c":"x,y"}]}}', 6, 3],
  ['[{"a":1,"b":2},{"a":3,"b":4}]', 7, 2],
  ['["a\\",\\"b","\\\\",{"\\"":1}]', 5, 1],
  ['"never closed, and more', 1, 0],
])('%s has %i values and %i names', (text, values, names) => {
  expect([least('values', text), least('names', text)]).toEqual([values, names])
})

test.each([
  [{ characters: 10 }, '['.repeat(11), '11 characters of JSON; 10 are allowed'],
  [{ values: 3 }, '[1,2,3]', 'more than 3 values'],
  [{ names: 1 }, '{"a":1,"b":2}', 'more than 1 different names of fields'],
])('%j: what is beyond it is told', (limit, text, why) => {
  expect(excessOf(text, { ...none, ...limit })).toBe(why)
})
