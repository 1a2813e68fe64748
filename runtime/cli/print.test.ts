import { expect, test } from 'vitest'
import { TocsinError } from '../errors/index.ts'
import { explainFailure } from './failure.ts'
import { fields, json, plain, raw, table } from './print.ts'

test('control characters from outside are shown, not sent', () => {
  expect(plain('a\u001b[31mred\u0007\r\u009b')).toBe('ared\ufffd\ufffd\ufffd')
  expect(plain('two\nlines')).toBe('two\nlines')
})

test('times of an answer are shown as times', () => {
  const answer = { code: 'ACME', created_at: 1_767_326_584_005, revoked_at: null, seats: 1_767_326_584_005 }
  expect(fields(answer).split('\n')).toEqual(['code        ACME', 'created_at  2026-01-02 04:03:04 UTC', 'revoked_at  ', 'seats       1767326584005'])
})

test.each(['\u061c', '\u200e', '\u200f', '\u202a', '\u202e', '\u2066', '\u2069'])('%j does not change the reading direction', (turn) => {
  expect(plain(`Suspend ${turn}ada?`)).toBe('Suspend \ufffdada?')
  expect(table(['TITLE'], [[`${turn}x`]])).not.toContain(turn)
})

test('right-to-left script stays unchanged', () => {
  expect(plain('שלום')).toBe('שלום')
})

test.each([
  ['a zero-width space', '\u200b'],
  ['a zero-width joiner', '\u200d'],
  ['a word joiner', '\u2060'],
  ['a byte order mark', '\ufeff'],
  ['a soft hyphen', '\u00ad'],
  ['a tag', '\u{e0041}'],
  ['a variation selector', '\u{e0101}'],
  ['a Hangul filler', '\u3164'],
  ['an interlinear mark', '\ufff9'],
  ['a line separator', '\u2028'],
  ['half of a pair', '\ud800'],
  ['a C1 control', '\u009d'],
  ['an escape', '\u001b'],
  ['a backspace', '\b'],
  ['a carriage return', '\r'],
  ['a delete', '\u007f'],
])('%s does not reach the terminal, in text or in JSON', (_name, character) => {
  const text = `ad${character}min`
  for (const shown of [plain(text), table(['NAME'], [[text]]), fields({ name: text }), json({ name: text }), raw(text, { isTTY: true })])
    expect(shown.includes(character)).toBe(false)
  expect(JSON.parse(json({ [text]: [text] }))).toEqual({ [text]: [text] })
  // Output to a file stays unchanged.
  expect(raw(text, { isTTY: false })).toBe(text)
})

test('a sequence that sets the title or the clipboard of a terminal loses its control characters', () => {
  for (const sequence of ['\u001b]0;owned\u0007', '\u001b]52;c;ZXZpbA==\u001b\\', '\u009b2J', '\u001bP+q\u001b\\', '\u001b[8mhidden\u001b[0m'])
    expect(plain(`x${sequence}y`)).not.toMatch(/\p{Cc}/u)
})

test('an emoji of several characters stays one', () => {
  expect(plain('❤️ 👩‍💻')).toBe('❤️ 👩‍💻')
})

test('a value of several lines does not look like several values', () => {
  expect(fields({ name: 'x\nstatus  closed', b: 1 }).split('\n')).toEqual(['name  x', '      status  closed', 'b     1'])
})

test('a mistake in the YAML itself is in no field', () => {
  const place = { file: 'a.yaml', line: 3, column: 2, message: 'No tabs.' }
  const text = explainFailure(
    new TocsinError('yaml_invalid', 'a.yaml:3:2: No tabs.', [
      { ...place, field: '' },
      { ...place, field: 'steps.0' },
    ]),
  )
  expect(text).toContain('\n  a.yaml:3:2: No tabs.\n  a.yaml:3:2 steps.0: No tabs.\n')
})
