import { expect, test } from 'vitest'
import { compilerFinding } from '../compile/index.ts'
import { applyFixes } from './fix.ts'

const place = { file: 'a.yaml', line: 1, column: 1, field: '', message: '' }
function renames(from: string, to: string) {
  return (text: string) => {
    const start = text.indexOf(from)
    if (start === -1) return []
    return [compilerFinding('key_unknown', { ...place, fix: { title: `${from} to ${to}`, edits: [{ start, end: start + from.length, text: to }] } })]
  }
}

test('changes only the edited characters, round after round', () => {
  const { text, applied } = applyFixes('a: 1  # aa stays\nb: a\n', renames('a:', 'x:'))
  expect(text).toBe('x: 1  # aa stays\nb: a\n')
  expect(applied).toHaveLength(1)
  expect(applyFixes('aaa', renames('a', 'b')).text).toBe('bbb')
})

test('of two overlapping fixes, applies the first, and the other one in the next round if it is still needed', () => {
  const both = (text: string) => [...renames('ab', 'x')(text), ...renames('bc', 'y')(text)]
  expect(applyFixes('abc bc', both).text).toBe('xc y')
})

test('stops if fixes undo each other', () => {
  const flip = (text: string) => [...renames('on', 'off')(text), ...renames('off', 'on')(text)]
  expect(['on', 'off']).toContain(applyFixes('on', flip).text)
})
