import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import type { Json } from '../domain/index.ts'
import { type Context, compileCondition, compileValue, partsOf } from './index.ts'
import * as typing from './typing/index.ts'

const render = (value: Json, context: Context = {}): Json | undefined => compileValue(value).render(context)

afterEach(() => {
  vi.restoreAllMocks()
})

it.each(['include', 'render', 'layout', 'block', 'increment', 'decrement', 'cycle', 'tablerow'])('has no tag %s', (tag) => {
  expect(() => compileValue(`x {% ${tag} 'a' %}`)).toThrow(expect.objectContaining({ code: 'expression_invalid' }))
})

it.each(['sample', 'where_exp: "x", "x"', 'valueOf', 'constructor', 'toString', 'hasOwnProperty', '__proto__'])('has no filter %s', (filter) => {
  expect(() => compileValue(`{{ a | ${filter} }}`)).toThrow(expect.objectContaining({ code: 'expression_invalid' }))
})

it.each(['now', 'today'])('reads no clock for "%s"', (word) => {
  const clock = vi.spyOn(Date, 'now')
  onTestFinished(() => clock.mockRestore())
  for (const filter of ['date: "%Y"', 'date', 'date_to_xmlschema', 'date_to_rfc822', 'date_to_string', 'date_to_long_string']) {
    expect(() => render(`{{ "${word}" | ${filter} }}`)).toThrow(expect.objectContaining({ code: 'template_failed' }))
    expect(() => render(`x {{ a | ${filter} }}`, { a: word })).toThrow(/no clock/)
  }
  expect(clock).not.toHaveBeenCalled()
})

it('formats times the same on every machine', () => {
  expect(render('{{ a | date: "%Y-%m-%d %H:%M" }}', { a: 1_700_000_000_000 })).toBe('2023-11-14 22:13')
  expect(render('{{ a | date: "%Y-%m-%d %H:%M" }}', { a: '2023-11-14T22:13:20' })).toBe('2023-11-14 22:13')
  expect(render('{{ a | date: "%H:%M" }}', { a: '2023-11-14T22:13:20+02:00' })).toBe('20:13')
  expect(render('{{ a | date_to_xmlschema }}', { a: '2023-11-14' })).toBe('2023-11-14T00:00:00+00:00')
  expect(() => render('{{ a | date: "%Y" }}', { a: 'last week' })).toThrow(/ISO 8601/)
})

it.each(['constructor', 'a.constructor', 'a.__proto__', 'a.toString', 'a.b.at', 'a.b.constructor.name'])('sees no inherited %s', (path) => {
  const context = { a: { b: [1] } }
  expect(render(`{{ ${path} }}`, context)).toBeUndefined()
  expect(() => compileCondition({ '!!': [{ var: path }] }).test(context)).toThrow(/is not there/)
})

it('does not change what it reads', () => {
  const context = { a: { list: [3, 1, 2] } }
  render('{% assign a = 1 %}{{ b | default: 1 }}{% capture c %}x{% endcapture %} {{ c }}', context)
  render('{{ a.list | sort | push: 4 | reverse }}', context)
  expect(context).toEqual({ a: { list: [3, 1, 2] } })
})

it.each(['{{ (1..100000000) | size }}', '{% for a in (1..100000000) %}{{ a }}{% endfor %}', "{{ 'x' | append: y | append: y }}"])(
  'stops %s before it eats the memory (complaint 13)',
  (template) => {
    expect(() => render(template, { y: 'z'.repeat(15_000_000) })).toThrow(expect.objectContaining({ code: 'evaluation_exceeded' }))
  },
)

it.each([
  ['characters', `{{ a }}${'x'.repeat(200_000)}`, /200007 characters/],
  ['outputs', '{{ a }}'.repeat(2_001), /more than 1000 outputs and tags/],
  ['characters in an output', `{{ a${' | upcase'.repeat(1_000)} }}`, /9007 characters/],
  ['deeply nested blocks', '{% if a %}'.repeat(900) + '{% endif %}'.repeat(900), /blocks are nested more than 50 deep/],
  ['deeply nested brackets', `{{ ${'a['.repeat(100)}0${']'.repeat(100)} }}`, /brackets are nested more than 20 deep/],
])('refuses a template with too many %s', (_what, template, message) => {
  expect(() => compileValue(template)).toThrow(message)
  expect(typing.typeOfTemplate(template, { root: () => typing.any })).toEqual({ type: typing.any, problems: [], fallbacks: [] })
  expect(partsOf(template, {})).toBeNull()
})
