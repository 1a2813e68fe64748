import { expect, test } from 'vitest'
import { boundedCache } from './index.ts'

test('a full cache drops the entry that was not used for the longest time', () => {
  const cache = boundedCache<string, number>(2)
  cache.set('a', 1)
  cache.set('b', 2)
  cache.get('a')
  cache.set('c', 3)
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3])
})
