import { describe, expect, it } from 'vitest'
import type { Json } from '../../domain/index.ts'
import { type Context, compileText, compileValue, mostWork, WorkBudget } from '../index.ts'

const items = (count: number): number[] => Array.from({ length: count }, (_, index) => index)
const long = 'aB c'.repeat(25_000)
const context: Context = {
  long,
  signs: '<>'.repeat(50_000),
  dotted: 'İ'.repeat(100_000),
  many: items(100_000),
  lists: items(200).map(() => items(1_000)),
  texts: items(5_000).map((index) => `${'s'.repeat(1_000)}${index}`),
  people: items(10_000).map((index) => ({ name: `n${index}`, age: index % 50, deep: { list: [index] } })),
  wide: Object.fromEntries(items(5_000).map((index) => [`k${index}`, index])),
  time: '2026-11-01T09:04:11Z',
}

/** A template with a loop that has this body. */
const often = (body: string): string => `x{% for i in many %}${body}{% endfor %}`
const grown = (times: number, text: string): string =>
  `{% assign p = '${text}' %}{% for i in (1..${times}) %}{% assign p = p | append: p %}{% endfor %}`

const exceeded = expect.objectContaining({ code: 'evaluation_exceeded' })

describe('a template that takes too much work ends with `evaluation_exceeded`', () => {
  it.each([
    ['turns of a loop that do nothing', often('')],
    ['loops in loops', 'x{% for a in (1..300) %}{% for b in (1..300) %}{% for c in (1..300) %}{% endfor %}{% endfor %}{% endfor %}'],
    ['a range', '{% for a in (1..100000000) %}{% break %}{% endfor %}'],
    ['ranges in a loop', often('{% for b in (1..5000) %}{% break %}{% endfor %}')],
    ['a list turned round in a loop', often('{% for b in many reversed limit: 1 %}{% endfor %}')],
    ['the members of an object in a loop', often('{% for b in wide limit: 1 %}{% endfor %}')],
    ['the size of an object in a loop', often('{{ wide.size }}')],
    ['values that are missing', often('{{ nothing | default: 1 }}')],
    ['many branches', often(`{% if false %}${'{% elsif false %}'.repeat(500)}{% endif %}`)],
    [
      'many values of a case',
      often(
        `{% case i %}{% when ${items(300)
          .map(() => '-1')
          .join(', ')} %}x{% endcase %}`,
      ),
    ],
    ['lists compared by a case', often('{% case lists %}{% when lists %}x{% endcase %}')],
    ['lists compared', often('{% if lists == lists %}x{% endif %}')],
    ['an item looked for in a list', often('{% if many contains i %}{% endif %}')],
    ['a text looked for in a text', often("{% if long contains 'aB d' %}{% endif %}")],
    [
      'operators',
      often(
        `{% if ${items(200)
          .map(() => 'true')
          .join(' and ')} %}{% endif %}`,
      ),
    ],
    ['large texts put together', often('{{ long }}')],
    ['large values as JSON', often('{{ people }}')],
    ['a text that doubles', '{% assign p = "ab" %}{% for i in many %}{% assign p = p | append: p %}{% endfor %}{{ p }}'],
    ['a captured text that doubles', '{% assign p = "ab" %}{% for i in many %}{% capture p %}{{ p }}{{ p }}{% endcapture %}{% endfor %}{{ p }}'],
    ['a list that doubles', '{% assign p = many %}{% for i in many %}{% assign p = p | concat: p %}{% endfor %}{{ p }}'],
    ['a list that holds itself, as JSON', '{% assign p = many %}{% for i in (1..150) %}{% assign p = p | push: p %}{% endfor %}{{ p | json }}'],
    ['a list that holds itself, as text', '{% assign p = many %}{% for i in (1..150) %}{% assign p = p | push: p %}{% endfor %}{{ p | join }}'],
    ['a list that holds itself, inserted', '{% assign p = many %}{% for i in (1..150) %}{% assign p = p | push: p %}{% endfor %}{{ p }}'],
    ['a long path of items', `${grown(14, 'a.')}{{ people | map: p | size }}`],
    ['a range as the name of a member', '{{ people | where: "(1..100000)" | size }}{{ people | where: "(1..100000)" | size }}'],
    ['names of a time zone', often("{{ time | date: '%Y', 'America/New_York' }}")],
    ['dates of the language', often("{{ time | date: '%c %x %X' }}")],
    ['a wide date', '{{ time | date: "%999999999d" }}'],
    ['a long format of dates', `${grown(15, '%d')}{{ time | date: p }}`],
    ['every character replaced by many', '{{ long | replace: "", long | size }}'],
    ['a text cut at each character', `{{ long | append: long | append: long | append: long | append: long | append: long | split: "" | size }}`],
    ['a text looked for from its end', `{% assign p = long | slice: 0, 50000 | append: "x" %}{{ long | replace_last: p, "" }}`],
  ])('%s', (_name, template) => {
    expect(() => compileValue(template).render(context)).toThrow(exceeded)
  })

  it.each(
    [
      ...[
        'upcase',
        'downcase',
        'capitalize',
        'escape',
        'escape_once',
        'newline_to_br',
        'strip_html',
        'squish',
        'truncatewords: 100000',
        'number_of_words: "cjk"',
      ],
      ...[
        'strip: " aB<"',
        'url_encode',
        'cgi_escape',
        'slugify: "latin"',
        'base64_encode',
        'sha256',
        'truncate: 90000',
        'slice: -1',
        'json',
        'split: "B"',
        'remove: "a"',
      ],
    ].flatMap((filter) => ['long', 'signs', 'dotted'].map((value) => [filter, value])),
  )('%s of %s in a loop', (filter, value) => {
    expect(() => compileValue(often(`{{ ${value} | ${filter} | size }}`)).render(context)).toThrow(exceeded)
  })

  it.each(
    [
      ...[
        'sort',
        'sort_natural',
        'uniq',
        'reverse',
        'compact',
        'join: ","',
        'array_to_sentence_string',
        'concat: many',
        'push: 1',
        'unshift: 1',
        'pop',
        'shift',
        'sum',
        'json',
      ],
    ].flatMap((filter) => ['many', 'lists', 'texts', 'people'].map((value) => [filter, value])),
  )('%s of %s in a loop', (filter, value) => {
    expect(() => compileValue(often(`{{ ${value} | ${filter} | size }}`)).render(context)).toThrow(exceeded)
  })

  it.each([
    ...[
      'sort: "age"',
      'sort_natural: "name"',
      'sum: "age"',
      'map: "name"',
      'where: "age", 5',
      'where: "deep.list", many',
      'reject: "age", 5',
      'has: "age", 99',
    ],
    ...['find: "age", 99', 'find_index: "age", 99', 'group_by: "age"', 'max_by: "age" | map: "age"'],
  ])('%s in a loop', (filter) => {
    expect(() => compileValue(often(`{{ people | ${filter} | size }}`)).render(context)).toThrow(exceeded)
  })

  it('names the template, its limit, and the place that it reached', () => {
    expect(() => compileValue({ a: 'x', b: ['{% for i in many %}{{ signs | escape_once }}{% endfor %}'] }).render(context)).toThrow(
      '`{% for i in many %}{{ signs | escape_once }}{% endfor %}` takes more than 2,000,000 units of work; it stopped in `escape_once`, in `for`.',
    )
  })
})

describe('an ordinary template stays below its limit', () => {
  it.each([
    ['the names of ten thousand items', '{{ people | map: "name" | join: ", " }}'],
    ['those of some', '{{ people | where: "age", 5 | map: "name" | join: ", " }}'],
    ['a line for each of a thousand items', '{% for one in people limit: 1000 %}{{ one.name }}: {{ one.age }}\n{% endfor %}'],
    ['ten thousand in order', '{{ people | sort: "age" | map: "name" | first }}'],
    ['a large text as it is', 'Text: {{ long }}'],
    ['in another case', '{{ long | downcase }}'],
    ['ten thousand items as JSON', '{{ people }} '],
  ])('%s', (_name, template) => {
    const budget = new WorkBudget(mostWork)
    compileValue(template).render(context, budget)
    expect(budget.left).toBeGreaterThan(0)
  })
})

it('all strings of one value share a limit', () => {
  const third = '{% for i in many %}{% if i > 2000 %}{% break %}{% endif %}{% endfor %}'
  const budget = new WorkBudget(mostWork)
  compileValue(`x${third}`).render(context, budget)
  expect(budget.spent).toBeGreaterThan(mostWork / 10)
  const many: Json = items(12).map(() => `x${third}`)
  expect(() => compileValue({ many }).render(context)).toThrow(exceeded)
})

it('takes the same work each time', () => {
  const spent = (): number => {
    const budget = new WorkBudget(mostWork)
    compileValue('{{ people | map: "name" | join }} {% for i in (1..50) %}{{ i | plus: 1 }}{{ nothing | default: i }}{% endfor %}').render(
      context,
      budget,
    )
    return budget.spent
  }
  const first = spent()
  expect([spent(), spent()]).toEqual([first, first])
})

it('a text template has a limit, too', () => {
  expect(() => compileText('{{ many }}{{ people }}{{ lists }}').render(context)).toThrow(exceeded)
})

it('the limit of the run applies if less is left than one evaluation may take', () => {
  const budget = new WorkBudget(10_000)
  expect(() => {
    for (let count = 0; count < 1_000; count += 1) compileValue('{{ time }}!').render(context, budget)
  }).toThrow(expect.objectContaining({ code: 'run_evaluation_exceeded' }))
})
