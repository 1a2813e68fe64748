import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readInput } from './files.ts'

function file(bytes: Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-input-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'alert.json'), bytes)
  return join(folder, 'alert.json')
}

test('a text is read as it is, without its byte order mark', () => {
  expect(readInput(file(Buffer.from('{"title":"Zürich \u{1f600}"}\r\n')))).toBe('{"title":"Zürich \u{1f600}"}\r\n')
  expect(readInput(file(Buffer.from('\ufeff{}')))).toBe('{}')
})

test.each([
  ['Latin-1', Buffer.from('Zürich', 'latin1'), /alert\.json is not UTF-8\.$/],
  ['UTF-16', Buffer.from('\ufeff{}', 'utf16le'), /is not UTF-8, but looks like UTF-16\.$/],
])('a file in %s is refused: a part of it would be lost', (_name, bytes, message) => {
  const refused = expect.objectContaining({ code: 'file_unreadable', message: expect.stringMatching(message) })
  expect(() => readInput(file(bytes))).toThrow(refused)
})

test('a file that is not there is named', () => {
  expect(() => readInput('/nowhere')).toThrow(
    expect.objectContaining({ code: 'file_unreadable', message: expect.stringMatching(/^\/nowhere: ENOENT/) }),
  )
})
