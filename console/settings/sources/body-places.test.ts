import { expect, test } from 'vitest'
import { placesIn } from './body-places.ts'

test('texts and numbers are found with their places', () => {
  const body = { rule: { name: 'Brute force', on: true }, event: { id: 41, 'a/b~c': 'x' }, users: [{ name: 'ada' }, null] }
  expect([...(placesIn(JSON.stringify(body)) ?? [])]).toEqual([
    ['/rule/name', 'Brute force'],
    ['/event/id', '41'],
    ['/event/a~1b~0c', 'x'],
    ['/users/0/name', 'ada'],
  ])
})

test('a body without places has none, and what is no JSON is told apart', () => {
  expect(placesIn('"text"')).toEqual(new Map())
  expect(placesIn('{}')).toEqual(new Map())
  expect(placesIn('CEF:0|Acme')).toBeNull()
  expect(placesIn('')).toBeNull()
})

test('a long body offers a bounded number of places', () => {
  expect(placesIn(JSON.stringify(Array.from({ length: 10_000 }, (_, at) => at)))?.size).toBe(500)
})
