import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { fitPageCache } from './page-cache.ts'

test('all pages of a store stay in memory while they fit, and a quarter of that if they do not', () => {
  const database = new DatabaseSync(':memory:')
  const sizeFor = (bytes: number): unknown => {
    fitPageCache(database, bytes)
    return database.prepare('PRAGMA cache_size').get()?.['cache_size']
  }
  const mebibytes = 1024 * 1024
  expect([0, 64 * mebibytes, 64 * mebibytes + 1, 64 * mebibytes].map(sizeFor)).toEqual([-65_536, -65_536, -16_384, -65_536])
})
