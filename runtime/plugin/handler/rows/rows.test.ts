import { expect, test } from 'vitest'
import type { Json } from '../../../domain/index.ts'
import { batchesOf, type RowsTask } from './rows.ts'

async function rowsOf(format: RowsTask['format'], bytes: Uint8Array, contentType: string, step = 1): Promise<readonly Json[]> {
  async function* parts(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += step) yield bytes.subarray(at, at + step)
  }
  const rows: Json[] = []
  for await (const batch of batchesOf(format, parts(), contentType)) rows.push(...(JSON.parse(batch) as Json[]))
  return rows
}

const marked = (text: string): Buffer => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])

test.each<[string, RowsTask['format'], Uint8Array, string, readonly Json[]]>([
  [
    'CSV in UTF-8, one byte at a time',
    'csv',
    Buffer.from('name,n\nJosé,1\n日本,2'),
    'text/csv',
    [
      { name: 'José', n: '1' },
      { name: '日本', n: '2' },
    ],
  ],
  ['CSV in Latin-1', 'csv', Buffer.from('name\nJosé', 'latin1'), 'text/csv; charset=iso-8859-1', [{ name: 'José' }]],
  ['CSV in UTF-16', 'csv', marked('name\nJosé'), 'text/csv', [{ name: 'José' }]],
  ['CSV with a byte order mark', 'csv', Buffer.from('\ufeffname\na'), 'text/csv', [{ name: 'a' }]],
  ['a CSV of three bytes', 'csv', Buffer.from('a\n1'), 'text/csv', [{ a: '1' }]],
  ['JSON lines', 'jsonl', Buffer.from('{"a":"é"}\n{"a":2}'), 'application/x-ndjson', [{ a: 'é' }, { a: 2 }]],
  ['nothing', 'csv', Buffer.from(''), 'text/csv', []],
])('%s is read exactly', async (_what, format, bytes, type, expected) => {
  expect(await rowsOf(format, bytes, type)).toEqual(expected)
})

test.each<[string, RowsTask['format'], Uint8Array, string, string]>([
  ['CSV in Latin-1 that does not say so', 'csv', Buffer.from('name\nJosé\n', 'latin1'), 'text/csv', 'not valid in utf-8'],
  ['JSON lines that end within a character', 'jsonl', Buffer.from('"日').subarray(0, 3), '', 'not valid in utf-8'],
  ['a charset that nobody knows', 'csv', Buffer.from('a\n1\n'), 'text/csv; charset=klingon', 'not known'],
  ['two columns of one name', 'csv', Buffer.from('id,name,name\n1,a,b\n'), 'text/csv', 'two columns have the name "name"'],
  ['a picture', 'csv', Buffer.from('89504e470d0a1a0a', 'hex'), 'image/png', 'image/png'],
])('%s is refused', async (_what, format, bytes, type, words) => {
  await expect(rowsOf(format, bytes, type, 4)).rejects.toMatchObject({ code: 'answer_not_understood', message: expect.stringContaining(words) })
})
