import { applyPatch } from 'diff'
import { expect, test } from 'vitest'
import { digestOf } from '../../yaml/index.ts'
import { differenceOf } from './difference.ts'

const version = (text: string) => ({ name: 'p', text, digest: digestOf(text) })
const lines = (count: number, line: (index: number) => string): string => Array.from({ length: count }, (_, index) => `${line(index)}\n`).join('')
const same = lines(10, (index) => `same ${index}`)

test('the diff is the shortest one, up to 2,000 changed lines', () => {
  const { diff, shortest } = differenceOf(version(`${same}a\n${same}`), version(`${same}b\n${same}`))
  expect(shortest).toBe(true)
  expect(diff.split('\n').filter((line) => /^[-+](?![-+])/.test(line))).toEqual(['-a', '+b'])
  expect(differenceOf(version('a'), version('a'))).toEqual({ diff: '', shortest: true })
})

test.each([
  ['in the middle', `${same}${lines(5_000, (index) => `a ${index}`)}${same}`, `${same}${lines(5_000, (index) => `b ${index}`)}${same}`],
  ['at the end', `${same}${lines(3_000, (index) => `a ${index}`)}`, `${same}${lines(1, () => 'b')}`],
  ['at the beginning', `${lines(3_000, (index) => `a ${index}`)}${same}`, same],
  [
    'in everything, without a line at the end',
    lines(3_000, (index) => `a ${index}`).slice(0, -1),
    lines(4_000, (index) => `b ${index}`).slice(0, -1),
  ],
  [
    'by what was there before',
    `${lines(2_500, (index) => `a ${index}`)}`,
    `${lines(2_500, (index) => `a ${index}`)}${lines(2_500, (index) => `a ${index}`)}`,
  ],
])('where more differs, everything between the first and the last change is replaced: %s', (_what, from, to) => {
  const { diff, shortest } = differenceOf(version(from), version(to))
  expect(shortest).toBe(false)
  expect(diff).toContain(`--- p\t${digestOf(from)}\n+++ p\t${digestOf(to)}\n`)
  // It is still a correct diff: applying it gives the other text.
  expect(applyPatch(from, diff)).toBe(to)
})
