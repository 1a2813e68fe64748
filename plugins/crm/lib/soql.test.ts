import { parseQuery } from '@jetstreamapp/soql-parser-js'
import { describe, expect, test } from 'vitest'
import { textOf } from '../../../test/simulators/crm/soql/literals.ts'
import { dateTime, isoTime, oneOf, quote, select, Unquotable } from './soql.ts'

describe('a text becomes one literal and nothing more', () => {
  test.each([
    ['plain', "'plain'"],
    ["O'Brien", "'O\\'Brien'"],
    ["' OR Name != '", "'\\' OR Name != \\''"],
    ["\\' OR Id != '", "'\\\\\\' OR Id != \\''"],
    ['ends with \\', "'ends with \\\\'"],
    ['two\nlines\r\tand "more"', '\'two\\nlines\\r\\tand \\"more\\"\''],
    ['100%_', "'100%_'"],
    ['Zoë 漢字 😀', "'Zoë 漢字 😀'"],
    ['', "''"],
  ])('%j', (text, literal) => {
    expect(quote(text)).toBe(literal)
    // When a parser reads the query back, it has this one condition, and the literal means the text.
    const { where } = parseQuery(`SELECT Id FROM Account WHERE Name = ${quote(text)}`)
    expect(where).toEqual({ left: { field: 'Name', operator: '=', literalType: 'STRING', value: literal } })
    expect(textOf(literal)).toBe(text)
  })

  test('every pair of awkward characters', () => {
    const awkward = ["'", '"', '\\', '\n', '\r', '%', '_', ')', ';', '-', 'u0027', ' ', 'é']
    for (const left of awkward) {
      for (const right of awkward) {
        const { where } = parseQuery(`SELECT Id FROM Account WHERE Name = ${quote(left + right)}`)
        expect(where && 'operator' in where).toBe(false)
        expect(textOf(quote(left + right))).toBe(left + right)
      }
    }
  })

  test.each(['\0', 'a\u001b', '\u0085', '\u2028', '\ud800'])('%j is refused', (text) => {
    expect(() => quote(text)).toThrow(Unquotable)
  })
})

test('one value, several, none', () => {
  expect(oneOf(["a'"])).toBe("= 'a\\''")
  expect(oneOf(['a', 'b'])).toBe("IN ('a','b')")
  expect(() => oneOf([])).toThrow(Unquotable)
})

test('times', () => {
  expect(dateTime(Date.UTC(2026, 8, 1))).toBe('2026-09-01T00:00:00.000Z')
  expect(isoTime('2026-09-01T08:00:00.000+0000')).toBe('2026-09-01T08:00:00.000Z')
  expect(isoTime(null)).toBeNull()
})

test('builds a statement from pieces', () => {
  expect(select({ fields: ['Id', 'Name'], from: 'Account' })).toBe('SELECT Id, Name FROM Account')
  expect(select({ fields: ['A', 'COUNT(Id) n'], from: 'B', where: ['A != null', "C = 'd'"], groupBy: 'A', orderBy: 'A', limit: 3 })).toBe(
    "SELECT A, COUNT(Id) n FROM B WHERE A != null AND C = 'd' GROUP BY A ORDER BY A LIMIT 3",
  )
})
