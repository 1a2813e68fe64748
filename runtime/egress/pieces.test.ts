import { describe, expect, test } from 'vitest'
import { Pieces } from './pieces.ts'

const mebibyte = 1_048_576

/** Returns bytes that show their position. */
function bytes(size: number, from = 0): Buffer {
  return Buffer.from(Uint8Array.from({ length: size }, (_, at) => (from + at) % 251))
}

function joined(sizes: readonly number[], most: number): Buffer {
  const pieces = new Pieces(most)
  let at = 0
  for (const size of sizes) {
    pieces.add(bytes(size, at))
    at += size
  }
  return pieces.joined()
}

describe('the whole body is joined from', () => {
  test.each([
    ['no parts', []],
    ['one part', [70_000]],
    ['single bytes', Array.from({ length: 70_000 }, () => 1)],
    ['small and large parts', [10, 20_000, 3, 16_384, 16_383, 70_000]],
    ['parts that make exactly a short body', [mebibyte - 5, 5]],
    ['parts that make a long body', [mebibyte - 5, 6]],
    ['one part that is a long body', [3 * mebibyte]],
    ['small parts after a long body began', [2 * mebibyte, 1, 20_000, 1]],
    ['parts that outgrow the first buffer', Array.from({ length: 35 }, () => mebibyte)],
  ])('%s', (_name, sizes) => {
    const size = sizes.reduce((sum, each) => sum + each, 0)
    const whole = joined(sizes, 64 * mebibyte)
    expect(whole.length).toBe(size)
    expect(whole.equals(bytes(size))).toBe(true)
  })

  test('a body of exactly as many bytes as allowed', () => {
    expect(joined([mebibyte, mebibyte], 2 * mebibyte).equals(bytes(2 * mebibyte))).toBe(true)
  })
})

test('the joined body does not change when more is added', () => {
  const pieces = new Pieces(4 * mebibyte)
  pieces.add(bytes(2 * mebibyte))
  const before = pieces.joined()
  pieces.add(bytes(10))
  expect(before.length).toBe(2 * mebibyte)
  expect(pieces.joined().length).toBe(2 * mebibyte + 10)
})
