import { describe, expect, it } from 'vitest'
import type { Json } from '../../domain/index.ts'
import { compileValue } from '../index.ts'
import { enginesOf } from '../template/template.ts'
import { renderText } from '../template/text.ts'
import { fitOf, typeOfTemplate, typeOfValue, unionOf } from '../typing/index.ts'
import { signaturesOf } from '../typing/liquid/index.ts'
import { exactly, short, told, world } from '../typing/testing.ts'

const quoting = { mail_quote: { quote: '"', escape: '\\' } }

it('has a signature for every filter that templates may use, and no other', () => {
  const names = Object.keys(enginesOf(quoting, renderText).typed.filters)
  expect([...signaturesOf(quoting).keys()].sort()).toEqual(names.sort())
})

/** Values of every kind, and special cases. */
const values: readonly Json[] = [
  null,
  true,
  false,
  0,
  3,
  -2.5,
  '',
  'a,b',
  '12',
  '2024-01-02T03:04:05Z',
  [],
  [1, 2],
  ['b', 'a', null],
  [
    { k: 'x', n: 2 },
    { k: 'y', n: '3' },
  ],
  [{ k: 'x' }, { n: 1 }, null, {}],
  [{ k: 'x' }, 'k', ['x']],
  {},
  { k: 'x', n: 1 },
]
const argumentsOf: Readonly<Record<string, readonly string[]>> = {
  map: ['"k"', '"k" | first'],
  sum: ['', '"n"'],
  sort: ['', '"k"'],
  sort_natural: ['', '"k"'],
  where: ['"k", "x"'],
  reject: ['"k", "x"'],
  has: ['"k", "x"', '"k", "z"'],
  find: ['"k", "x"', '"k", "z"'],
  find_index: ['"k", "x"', '"k", "z"'],
  group_by: ['"k"', '"k" | map: "name"'],
  max_by: ['"n"'],
  concat: ['other'],
  push: ['other', '1'],
  unshift: ['"u"'],
  default: ['"none"', 'other', '1, allow_false: true'],
  slice: ['0', '1, 2', '-1'],
  join: ['', '"-"'],
  split: ['","'],
  round: ['', '1'],
  truncate: ['', '2', '2, ""'],
  truncatewords: ['', '1'],
  replace: ['"a", "b"', '"a"'],
  replace_first: ['"a", "b"'],
  replace_last: ['"a", "b"'],
  date: ['"%Y"', ''],
  hmac_sha256: ['"key"'],
  slugify: ['', '"ascii", true'],
  number_of_words: ['', '"cjk"'],
}
const oneText = new Set(['append', 'prepend', 'remove', 'remove_first', 'remove_last'])
const oneNumber = new Set(['plus', 'minus', 'times', 'modulo', 'at_least', 'at_most', 'divided_by'])

function usesOf(name: string): readonly string[] {
  const written = argumentsOf[name] ?? (oneText.has(name) ? ['"a"'] : oneNumber.has(name) ? ['2', '1.5'] : [''])
  return written.map((args) => `{{ value | ${name}${args === '' ? '' : `: ${args}`} }}`)
}

describe('the result of a filter has the type that it promises', () => {
  it.each([...signaturesOf(quoting).keys()])('%s', (name) => {
    let rendered = 0
    for (const template of usesOf(name)) {
      for (const value of values) {
        const context = { value, other: [{ k: 'o', n: 9 }] as Json }
        // First the types know the exact values. Then they only know that `value` is one of `values`.
        for (const environment of [exactly(context), world({ value: unionOf(values.map(typeOfValue)), other: typeOfValue(context.other) })]) {
          const { type, problems } = typeOfTemplate(template, environment, quoting)
          let result: Json | undefined
          try {
            result = compileValue(template, quoting).render(context)
          } catch {
            continue
          }
          rendered += 1
          if (problems.some(({ code }) => code === 'filter_input')) continue
          if (result === undefined) expect(type.absence, `${template} of ${JSON.stringify(value)}`).not.toBe('no')
          else
            expect(
              fitOf(typeOfValue(result), type),
              `${template} of ${JSON.stringify(value)} is ${JSON.stringify(result)}, not ${short(type)}`,
            ).toEqual({
              fits: 'always',
            })
        }
      }
    }
    expect(rendered).toBeGreaterThan(1)
  })
})

describe('a value that a filter cannot take', () => {
  const environment = exactly({
    text: 'abc',
    devices: [{ role: 'PRIMARY' }, {}, null],
    digits: '12',
    number: 5,
    list: [{ k: 1 }],
    object: { a: 1 },
    none: null,
    flag: true,
    texts: ['abc'],
    scalars: ['a', 1],
    mixed: [{ k: 1 }, 1, {}, null],
  })
  it.each([
    ['{{ text | plus: 1 }}', 'filter_input @10: `plus` needs a number, and `text` is "abc", which counts as 0'],
    ['{{ flag | times: 2 }}', 'filter_input @10: `times` needs a number, and `flag` is true'],
    ['{{ list | divided_by: 2 }}', 'filter_input @10: `divided_by` needs a number, and `list` is a list of object (k)'],
    ['{{ number | map: "k" }}', 'filter_input @12: `map` needs a list, and `number` is 5'],
    ['{{ text | join: "," }}', 'filter_input @10: `join` needs a list, and `text` is "abc"'],
    [
      '{{ object | size }}',
      'filter_input @12: `size` needs a list or a text, and `object` is an object (a); use `object.size` for the number of its members',
    ],
    ['{{ number | size }}', 'filter_input @12: `size` needs a list or a text, and `number` is 5'],
    ['{{ list | upcase }}', 'filter_input @10: `upcase` needs a text, and `list` is a list of object (k)'],
    ['{{ object | mail_quote }}', 'filter_input @12: `mail_quote` needs a text, number or boolean, and `object` is an object (a)'],
    ['{{ flag | date: "%Y" }}', 'filter_input @10: `date` needs a time: epoch milliseconds or an ISO 8601 text, and `flag` is true'],
    ['{{ "now" | date: "%Y" }}', 'filter_input @11: templates have no clock; give `date` a time, such as run.now'],
    ['{{ text | append }}', 'filter_argument @10: `append` takes 1 argument, not 0'],
    ['{{ text | upcase: 1 }}', 'filter_argument @10: `upcase` takes no argument, not 1'],
    ['{{ list | map: 5 }}', 'filter_argument @10: `map` takes a text as its first argument, not a number'],
    ['{{ number | plus: "x" }}', 'filter_argument @12: `plus` takes a number as its first argument, not a text'],
    ['{{ list | concat: text }}', 'filter_argument @10: `concat` takes a list as its first argument, not a text'],
    ['{{ list | map: "kk" }}', 'unknown_member @16: `an item of list` has no member `kk`; did you mean `k`?'],
    ['{{ list | sort: "kk" }}', 'unknown_member @17: `an item of list` has no member `kk`; did you mean `k`?'],
    ['{{ list | where: "name", 1 }}', 'unknown_member @18: `an item of list` has no member `name`; its members are k'],
    ['{{ text | where: "k", 1 }}', 'filter_input @10: `where` needs a list, and `text` is "abc"'],
    ['{{ texts | where: "length", 3 }}', 'filter_input @11: `where` needs a list of objects, and an item of `texts` is "abc"'],
    ['{{ mixed | find: "k", 1 }}', 'filter_input @11: `find` needs a list of objects, and an item of `mixed` may be 1'],
    ['{{ scalars | max_by: "k" }}', 'filter_input @13: `max_by` needs a list of objects, and an item of `scalars` is 1 or "a"'],
    ['{{ scalars | map: "k" }}', 'no_members @19: `an item of scalars` is 1 or "a", which has no member `k`'],
  ])('%s', (template, message) => {
    expect(told(typeOfTemplate(template, environment, quoting))).toEqual([message])
  })

  it.each([
    '{{ digits | plus: 1 }}',
    '{{ number | upcase }}',
    '{{ none | plus: 1 }}',
    '{{ none | default: 2 | plus: 1 }}',
    '{{ list.first.k | plus: 1 }}',
    '{{ text | split: "" | first | upcase }}',
    '{{ devices | where: "role", "PRIMARY" }}',
    '{{ devices | compact | group_by: "role" }}',
    '{{ unknown | compact | where: "role" }}',
    '{{ object | json }}',
    '{{ list | json | sha256 }}',
    '{{ number | date: "%Y" }}',
  ])('but takes %s', (template) => {
    expect(told(typeOfTemplate(template, environment, quoting))).toEqual([])
  })
})

it('reports constants that a filter cannot read', () => {
  const of = (template: string): readonly string[] => typeOfTemplate(template, world({})).problems.map(({ message }) => message)
  expect(of("{{ '2026-02-30' | date: '%d' }}")).toMatchObject([expect.stringContaining('`date` needs a time')])
  expect(of("{{ 'yesterday' | date_to_rfc822 }}")).toMatchObject([expect.stringContaining('`date_to_rfc822` needs a time')])
  for (const wrong of ['many', '9007199254740993'])
    expect(of(`{{ '${wrong}' | to_integer }}`)).toEqual([`\`to_integer\` needs a number, or a text that is one, and \`'${wrong}'\` is not`])
  for (const right of ["'2024-02-29' | date: '%d'", "'42' | to_integer", "'0x1f' | to_integer"]) expect(of(`{{ ${right} }}`)).toEqual([])
})

it('reports what `date` would write as it is', () => {
  const of = (format: string): readonly string[] => typeOfTemplate(`{{ 0 | date: '${format}' }}`, world({})).problems.map(({ message }) => message)
  expect(of('%F %H:%M')).toEqual(['`date` does not know `%F`; write `%Y-%m-%d`'])
  expect(of('%-T')).toEqual(['`date` does not know `%-T`; write `%H:%M:%S`'])
  expect(of('100% of %d')).toEqual(['`date` does not know `% `; write `%%` for a percent sign'])
  for (const right of ['%Y-%m-%d %H:%M:%S.%3N%:z', '%-d %^b', '100%% of %q', '%', 'ordinal']) expect(of(right)).toEqual([])
  for (const letter of 'aAbBcCdDeEfFgGhHiIjJkKlLmMnNoOpPqQrRsStTuUvVwWxXyYzZ%+,.') {
    const written = compileValue(`{{ 0 | date: '%${letter}' }}`).render({})
    expect([letter, of(`%${letter}`).length]).toEqual([letter, written === `%${letter}` ? 1 : 0])
  }
})
