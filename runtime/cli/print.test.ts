import { expect, test } from 'vitest'
import { plain, table } from './print.ts'

test('control characters from outside are shown, not sent', () => {
  expect(plain('a\u001b[31mred\u0007\r\u009b')).toBe('ared\ufffd\ufffd\ufffd')
  expect(plain('two\nlines')).toBe('two\nlines')
})

test.each(['\u061c', '\u200e', '\u200f', '\u202a', '\u202e', '\u2066', '\u2069'])('%j does not turn the direction of what is read', (turn) => {
  expect(plain(`Suspend ${turn}ada?`)).toBe('Suspend \ufffdada?')
  expect(table(['TITLE'], [[`${turn}x`]])).not.toContain(turn)
})

test('writing that itself runs from right to left stays', () => {
  expect(plain('שלום')).toBe('שלום')
})
