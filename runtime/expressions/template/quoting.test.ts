import { expect, it } from 'vitest'
import { compileText, compileValue, quote } from '../index.ts'

const filters = { mailsec_quote: { quote: '"', escape: '\\' }, soql_quote: { quote: "'", escape: '\\' }, sql_quote: { quote: "'", escape: "'" } }

it('quotes a value so that it cannot leave its quotes', () => {
  const { render } = compileValue('recipient:{{ user | mailsec_quote }}', filters)
  expect(render({ user: 'ada@example.com' })).toBe('recipient:"ada@example.com"')
  expect(render({ user: 'x" OR 1' })).toBe('recipient:"x\\" OR 1"')
  expect(render({ user: 'x\\" OR 1' })).toBe('recipient:"x\\\\\\" OR 1"')
})

it('knows several quoting rules at once', () => {
  expect(compileValue('{{ a | soql_quote }} {{ a | sql_quote }}', filters).render({ a: "o'x" })).toBe("'o\\'x' 'o''x'")
  expect(quote(5, filters.sql_quote)).toBe("'5'")
})

it('refuses to quote a value that has no text', () => {
  for (const a of [null, [1], { k: 1 }])
    expect(() => compileValue('{{ a | sql_quote }}', filters).render({ a })).toThrow(/can be quoted|needs a text, number or boolean/)
})

it('leaves out a missing quoted value if it is the whole string', () => {
  expect(compileValue({ q: '{{ a | sql_quote }}' }, filters).render({})).toEqual({})
})

it('has a quoting filter only if it was passed', () => {
  expect(() => compileValue('{{ a | sql_quote }}')).toThrow(/no filter `sql_quote`/)
})

it('inserts values with the function of the caller', () => {
  const path = compileText('/users/{{ id }}/x/{{ name | downcase }}', {}, (value) => encodeURIComponent(String(value)))
  expect(path.render({ id: '../a?b', name: 'A/B' })).toBe('/users/..%2Fa%3Fb/x/a%2Fb')
  expect(path.reads).toEqual([['id'], ['name']])
  // A string that is a single output is text, too.
  expect(compileText('{{ a }}').render({ a: [1] })).toBe('[1]')
  expect(() => compileText('{{ a }}').render({})).toThrow(expect.objectContaining({ code: 'template_failed' }))
})
