import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { CsvReader, longestRow, NoCsv } from './csv.ts'

/** Reads a text in parts of so many characters. */
function rowsOf(text: string, step = text.length): readonly unknown[] {
  const rows: unknown[] = []
  const reader = new CsvReader((row) => {
    const values = JSON.parse(row) as string[]
    rows.push(Object.fromEntries((reader.names ?? []).map((name, at) => [name, values[at]])))
  })
  for (let at = 0; at < text.length; at += step) reader.read(text.slice(at, at + step))
  reader.read(null)
  return rows
}

test.each<[string, string, readonly unknown[]]>([
  ['quotes, commas and line ends in quotes', 'a,b\n"say ""yes"", ""no""","1\r\n2\n"\n', [{ a: 'say "yes", "no"', b: '1\r\n2\n' }]],
  ['quoted names', '"a,""1""",b\nx,y', [{ 'a,"1"': 'x', b: 'y' }]],
  ['what JSON must escape', 'a\n"\\ \t\u0000\u2028"\nC:\\x', [{ a: '\\ \t\u0000\u2028' }, { a: 'C:\\x' }]],
  [
    'empty values',
    'a,b\n,\n"",""\n1,',
    [
      { a: '', b: '' },
      { a: '', b: '' },
      { a: '1', b: '' },
    ],
  ],
  ['empty lines, and a quoted empty value alone', '\n\na\n\n""\n\nb\n\n', [{ a: '' }, { a: 'b' }]],
  [
    'CRLF',
    'a,b\r\n\r\n"1",2\r\n3,"4"\r\n',
    [
      { a: '1', b: '2' },
      { a: '3', b: '4' },
    ],
  ],
  [
    'CR alone',
    'a,b\r1,2\r\r"3",4',
    [
      { a: '1', b: '2' },
      { a: '3', b: '4' },
    ],
  ],
  [
    'CRLF and LF in turn',
    'a,b\n"1",2\r\n3,4\n\r\n',
    [
      { a: '1', b: '2' },
      { a: '3', b: '4' },
    ],
  ],
  [
    'rows of quotes with CRLF, and what JSON need not escape',
    'a,b\r\n"1","2"\r\n"\u007f","é"\r\n',
    [
      { a: '1', b: '2' },
      { a: '\u007f', b: 'é' },
    ],
  ],
  [
    'quotes in some rows only',
    'a,b\n"1","2"\n3,4\n"5",6\n7,"8"\n',
    [
      { a: '1', b: '2' },
      { a: '3', b: '4' },
      { a: '5', b: '6' },
      { a: '7', b: '8' },
    ],
  ],
  ['CR within a value, if lines do not end with it', 'a,b\n1\r,2', [{ a: '1\r', b: '2' }]],
  ['a name that objects have anyway', 'a,__proto__\n1,2', [JSON.parse('{"a":"1","__proto__":"2"}')]],
  ['only names', 'a,b', []],
])('%s are read exactly, in parts of any length', (_what, text, expected) => {
  for (const step of [1, 2, 3, 7, 1_000]) expect(rowsOf(text, step)).toEqual(expected)
})

test.each<[string, string, string]>([
  ['a quote within a value', 'a\nb\n{"c":1}', 'row 3: a value without quotes has a quote in it'],
  ['text after a quote', 'a,b\n"1"2,3', 'row 2: a quoted value is followed by something other than a comma'],
  ['a quote that does not end', 'a\n"1\n2\n', 'row 2: a quoted value does not end'],
  ['too few values', 'a,b\n\n1', 'row 2: its number of values is 1, and the first row has 2'],
  ['too many values', 'a,b\n1,2,3', 'row 2: its number of values is 3, and the first row has 2'],
  ['two columns with one name', 'a,b,a\n1,2,3', 'two columns have the name "a"'],
])('%s is refused, in parts of any length', (_what, text, message) => {
  for (const step of [1, 2, 5, 1_000]) expect(() => rowsOf(text, step)).toThrow(new NoCsv(message))
})

describe('a row that is too long', () => {
  const over = 'x'.repeat(longestRow + 1)

  test.each([
    ['is refused', `a\n${over}\n`],
    ['is refused in quotes', `a\n"${over}"\n`],
    ['is refused as the first line', `${over}\n1\n`],
  ])('%s', (_what, text) => {
    expect(() => rowsOf(text, 1_000_000)).toThrow(`it has more than ${longestRow} characters`)
  })

  test('is refused before its end is there', () => {
    const reader = new CsvReader(() => {})
    expect(() => {
      for (let part = 0; part < 6; part += 1) reader.read(`"${'x'.repeat(1024 * 1024)}`.slice(part === 0 ? 0 : 1))
    }).toThrow(`it has more than ${longestRow} characters`)
  })

  test('a row of the greatest length is read', () => {
    const value = 'x'.repeat(longestRow - 1)
    expect(rowsOf(`a\n${value}\n`, 65_536)).toEqual([{ a: value }])
    const quoted = value.slice(2)
    expect(rowsOf(`a\n"${quoted}"\n`, 65_536)).toEqual([{ a: quoted }])
  })
})

test.each([1_000, 1_001])('a row of %d values is read, with and without quotes', (count) => {
  const names = Array.from({ length: count }, (_, n) => `n${n}`)
  const expected = Object.fromEntries(names.map((name) => [name, name]))
  expect(rowsOf(`${names.join(',')}\n${names.join(',')}\n"${names.join('","')}"\n`, 1_000)).toEqual([expected, expected])
})

test('rows are kept as soon as they have ended', () => {
  const rows: string[] = []
  const reader = new CsvReader((row) => rows.push(row))
  reader.read('a,b\n1,2\n3,')
  expect(rows).toEqual(['["1","2"]'])
  expect(reader.names).toEqual(['a', 'b'])
})

/** Returns the numbers 0 to `below` - 1 in an order that looks random, always the same. */
function* dice(seed: number, below: number): Generator<number, never> {
  for (let state = seed + 1; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    yield Math.floor((state / 2 ** 32) * below)
  }
}

test('reads what csv-parse reads, and refuses what it refuses', () => {
  const pieces = ['a', 'b,', ',', ',', '\n', '\n', '"', '"x"', '"x"', '""', '"1,2"', '\\', 'é', '"\n"', ' ', '日"']
  const seen = { rows: 0, refused: 0 }
  for (let seed = 0; seed < 3_000; seed += 1) {
    const random = dice(seed, pieces.length)
    const text = `n,m\n${Array.from({ length: 1 + (seed % 12) }, () => pieces[random.next().value]).join('')}`
    let expected: unknown
    try {
      expected = parse(text, { columns: true, skip_empty_lines: true, record_delimiter: '\n' })
    } catch {
      expected = 'refused'
    }
    let read: unknown
    try {
      read = rowsOf(text, 1 + (seed % 5))
    } catch (error) {
      if (!(error instanceof NoCsv)) throw error
      read = 'refused'
    }
    expect(read, JSON.stringify(text)).toEqual(expected)
    seen[read === 'refused' ? 'refused' : 'rows'] += 1
  }
  expect(Math.min(seen.rows, seen.refused)).toBeGreaterThan(100)
})
