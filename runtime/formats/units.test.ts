import { expect, it } from 'vitest'
import { parseDuration, parseSize } from './units.ts'

it.each([
  ['500ms', 500],
  ['30s', 30_000],
  ['10m', 600_000],
  ['4h', 14_400_000],
  ['1d', 86_400_000],
  ['0s', 0],
])('reads the duration %s', (text, millis) => {
  expect(parseDuration(text)).toBe(millis)
})

it.each([
  ['64KiB', 65_536],
  ['5MiB', 5_242_880],
  ['1GiB', 1_073_741_824],
])('reads the size %s', (text, bytes) => {
  expect(parseSize(text)).toBe(bytes)
})

it.each(['', '30', '30 s', '1.5s', '-1s', '1w', '1S', '9999999999s', '30s ', '3651d', '999999999d'])('refuses "%s" as a duration', (text) => {
  expect(() => parseDuration(text)).toThrow(RangeError)
})

it.each(['', '5', '5MB', '5mib', '1.5MiB', '5B'])('refuses "%s" as a size', (text) => {
  expect(() => parseSize(text)).toThrow(RangeError)
})
