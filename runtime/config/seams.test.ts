import { expect, test } from 'vitest'
import { systemIds } from './seams.ts'

test('UUIDs are of version 7, all different, and rise in the order they are made', () => {
  const made = Array.from({ length: 5_000 }, () => systemIds.uuid())
  expect(made[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(new Set(made).size).toBe(made.length)
  expect(made.toSorted()).toEqual(made)
})

test('a secret has as many random bytes as it was asked for', () => {
  expect(Buffer.from(systemIds.secret(32), 'base64url')).toHaveLength(32)
  expect(systemIds.secret(32)).not.toBe(systemIds.secret(32))
})
