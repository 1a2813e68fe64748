import { expect, test } from 'vitest'
import type { Json } from '../../../domain/index.ts'
import { batchesOf, type RowsTask } from './rows.ts'

async function rowsOf(format: RowsTask['format'], bytes: Uint8Array, contentType: string, step = 1): Promise<readonly Json[]> {
  async function* parts(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += step) yield bytes.subarray(at, at + step)
  }
  const rows: Json[] = []
  for await (const text of batchesOf(format, parts(), contentType)) {
    const batch = JSON.parse(text) as Json[] | { readonly names: string[]; readonly rows: string[][] }
    if (Array.isArray(batch)) rows.push(...batch)
    else rows.push(...batch.rows.map((values) => Object.fromEntries(batch.names.map((name, at) => [name, values[at] ?? null]))))
  }
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
  [
    'JSON lines with numbers that others might read in another way',
    'jsonl',
    Buffer.from('[12345678901234567890,1e400]\n 1e2\r\n{"a" : -0, "b":"-0 1e400, 12345678901234567890"}\n\n-1.5'),
    '',
    [['12345678901234567890', '1e400'], 100, { a: 0, b: '-0 1e400, 12345678901234567890' }, -1.5],
  ],
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

test('a batch of CSV has the names once, and one of JSON lines is a list', async () => {
  async function* parts(text: string): AsyncGenerator<Uint8Array> {
    yield Buffer.from(text)
  }
  const batches = async (format: RowsTask['format'], text: string): Promise<readonly string[]> => {
    const all: string[] = []
    for await (const batch of batchesOf(format, parts(text))) all.push(batch)
    return all
  }
  expect(await batches('csv', 'a,"b"\n1,2\n"3","4"\n')).toEqual(['{"names":["a","b"],"rows":[["1","2"],["3","4"]]}'])
  expect(await batches('jsonl', '{"a":1}\n2\n')).toEqual(['[{"a":1},2]'])
})
