import { expect, test } from 'vitest'
import { guessOf, listsIn } from './places.ts'

const text = { type: 'string' }
const detections = {
  type: 'object',
  properties: {
    detections: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          id: text,
          kind: { type: ['string', 'null'], description: 'Its type.' },
          level: { enum: ['LOW', null] },
          seen: { type: 'object', properties: { 'a/b~c': { type: 'integer' } } },
          users: { type: 'array', items: text },
          open: { type: 'boolean' },
        },
      },
    },
    truncated: { type: 'boolean' },
  },
}

test('a list in an output is found, with the places of texts and numbers in its items', () => {
  expect(listsIn(detections)).toEqual([
    {
      place: '/detections',
      items: new Map([
        ['/id', ''],
        ['/kind', 'Its type.'],
        ['/level', ''],
        ['/seen/a~1b~0c', ''],
      ]),
    },
  ])
  expect(guessOf(detections)).toEqual({ items_at: '/detections', idempotency_key_at: '/id' })
})

test('an output that is a list has the empty place, and its items may have no id', () => {
  const list = { type: 'array', items: { type: 'object', properties: { key: text } } }
  expect(listsIn(list).map(({ place }) => place)).toEqual([''])
  expect(guessOf(list)).toEqual({ items_at: '', idempotency_key_at: '' })
})

test('of several lists none is guessed, and a schema without one offers nothing', () => {
  const two = { type: 'object', properties: { a: { type: 'array' }, b: { type: 'object', properties: { c: { type: ['array', 'null'] } } } } }
  expect(listsIn(two).map(({ place }) => place)).toEqual(['/a', '/b/c'])
  expect(guessOf(two)).toEqual({ items_at: '', idempotency_key_at: '' })
  for (const odd of [null, true, 'x', {}, { properties: [] }, { type: 'array', items: 7 }]) expect(guessOf(odd).idempotency_key_at).toBe('')
})

test('a deep or large schema offers a bounded number of places', () => {
  const properties = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`p${at}`, text]))
  expect(listsIn({ type: 'array', items: { properties } })[0]?.items.size).toBe(300)
  let deep: object = { type: 'array' }
  for (let at = 0; at < 1_000; at += 1) deep = { properties: { in: deep } }
  expect(listsIn(deep)).toEqual([])
})
