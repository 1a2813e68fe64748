import { expect, test } from 'vitest'
import { YoungGarbage } from './young-garbage.ts'

const piece = 64 * 1024
const mega = 1024 * 1024

test('young objects are collected each time that many bytes have come, however small the parts are', () => {
  let collected = 0
  const garbage = new YoungGarbage(() => {
    collected += 1
  })
  for (let bytes = 0; bytes < 5 * mega; bytes += 1_024) garbage.came(1_024)
  expect(collected).toBe(0)
  for (let bytes = 0; bytes < 19 * mega; bytes += piece) garbage.came(piece)
  expect(collected).toBe(4)
})

test('buffers that nobody needs any more are gone soon', () => {
  const garbage = new YoungGarbage()
  const memory = (): number => process.memoryUsage().arrayBuffers
  const before = memory()
  let most = 0
  for (let bytes = 0; bytes < 50 * mega; bytes += piece) {
    Buffer.allocUnsafeSlow(piece)
    garbage.came(piece)
    most = Math.max(most, memory() - before)
  }
  expect(most).toBeLessThan(20 * mega)
})
