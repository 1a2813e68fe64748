import { expect, test } from 'vitest'
import { copyOf, giveBack } from './kept.ts'
import { Pieces } from './pieces.ts'

test('memory of large copies is used again, and never that of small ones, which is shared with others', () => {
  const small: Buffer[] = []
  for (let at = 0; at < 2_000; at++) {
    const one = copyOf(Buffer.alloc(100, at))
    giveBack(one)
    small.push(one)
    giveBack(copyOf(Buffer.alloc(64 * 1024, 0xff)))
  }
  expect(small.every((one, at) => one.equals(Buffer.alloc(100, at)))).toBe(true)
  const large = copyOf(Buffer.alloc(64 * 1024))
  giveBack(large)
  expect(copyOf(Buffer.alloc(32 * 1024)).buffer).toBe(large.buffer)
})

test('a kept piece stays as it is until the next one is taken, whatever others keep meanwhile', () => {
  const [one, other] = [new Pieces(), new Pieces()]
  one.add(Buffer.alloc(20_000, 'a'), null)
  one.keep()
  const parts = [one.take(16_384)?.bytes, one.take(16_384)?.bytes]
  for (let count = 0; count < 20; count++) {
    other.add(Buffer.alloc(20_000, 'b'), null)
    other.keep()
  }
  expect(parts.map((part) => part?.toString())).toEqual(['a'.repeat(16_384), 'a'.repeat(20_000 - 16_384)])
})
