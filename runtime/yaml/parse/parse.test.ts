import { describe, expect, it } from 'vitest'
import { isTocsinError } from '../../errors/index.ts'
import { parseYaml, type YamlLimits } from '../index.ts'

function faultOf(text: string, limits?: YamlLimits) {
  try {
    parseYaml(text, 'x.yaml', limits)
  } catch (error) {
    if (isTocsinError(error)) return { code: error.code, message: error.message, place: error.places[0] }
    throw error
  }
  throw new Error('it was read')
}

describe('parseYaml', () => {
  it('reads YAML 1.2 core: yes, on and dates are text', () => {
    const { value } = parseYaml('a: yes\nb: on\nc: 2024-01-01\nd: true\ne: ~\nf: 0o17\ng: 1.5\nh: 010\n', 'x.yaml')
    expect(value).toEqual({ a: 'yes', b: 'on', c: '2024-01-01', d: true, e: null, f: 15, g: 1.5, h: 10 })
  })

  it('keeps integers beyond 2^53 as text', () => {
    expect(parseYaml('[9007199254740991, 9007199254740993, -12345678901234567890]', 'x').value).toEqual([
      9007199254740991,
      '9007199254740993',
      '-12345678901234567890',
    ])
  })

  it('allows control characters only as escapes, and says how to write them', () => {
    expect(faultOf('a: "x\u0001y"')).toMatchObject({
      code: 'yaml_invalid',
      message: 'x.yaml:1:6: YAML does not allow the character U+0001 as it is; in double quotes, write it as `\\x01`.',
    })
    expect(parseYaml('a: "x\\x01\\0\\e"\r\nb: "\ty\u0085\u007f"\n', 'x').value).toEqual({ a: 'x\u0001\0\u001b', b: '\ty\u0085\u007f' })
  })

  it('reads an empty file as null', () => {
    expect(parseYaml('# nothing\n', 'x').value).toBeNull()
  })

  it('repeats the value of an alias', () => {
    expect(parseYaml('a: &x { k: [1] }\nb: *x\n', 'x').value).toEqual({ a: { k: [1] }, b: { k: [1] } })
  })

  it.each([
    ['a syntax error where it begins', 'a: [1,\nb: 2\n', 1],
    ['a duplicate key', 'a: 1\nb: 2\na: 3\n', 3],
    ['a NUL in a text', 'a: 1\nb: "x\0y"\n', 2],
    ['an escape sequence of a terminal in a comment', 'a: 1\nb: 2 # \u001b[31m\n', 2],
    ['a merge key', 'a: &x { k: 1 }\nb:\n  <<: *x\n', 3],
    ['a second document', 'a: 1\n---\nb: 2\n', 2],
    ['an unknown tag', 'a: 1\nb: !secret x\n', 2],
    ['a tag of YAML 1.1', 'a: !!binary aGk=\n', 1],
    ['a directive of YAML 1.1', '%YAML 1.1\n---\na: yes\n', 1],
    ['a key that is no text', '? [1]\n: 2\n', 1],
    ['infinity', 'a: 1\nb: .inf\n', 2],
    ['the key __proto__', 'a: 1\n__proto__: { b: 1 }\n', 2],
    ['an alias of nothing', 'a: *x\n', 1],
    ['an anchor inside itself', 'a: &x [1, *x]\n', 1],
    ['a tab as indentation', 'a:\n\tb: 1\n', 2],
  ])('refuses %s and names the line', (_what, text, line) => {
    const { code, message, place } = faultOf(text)
    expect(code).toBe('yaml_invalid')
    expect(place?.line).toBe(line)
    expect(place?.column).toBeGreaterThanOrEqual(1)
    expect(message).toContain(`x.yaml:${line}:`)
  })

  it('tells a second document in words of its own', () => {
    expect(faultOf('a: 1\n---\nb: 2\n').place?.message).toBe('A file is one document, and `---` begins a second one here.')
  })

  it.each([
    ['a: { note: Hello: world }', 12, 'A `: ` in a text without quotes begins a mapping; put the text in quotes.'],
    ['a: b c: d', 4, 'A `: ` in a text without quotes begins a mapping; put the text in quotes.'],
    ['a: { b: - c }', 9, 'Inside `{ }` and `[ ]`, a list is written `[a, b]`.'],
    ['a: {\n  b: hi\n  c: high\n}', 6, 'A comma may be missing at the end of this line.'],
    ['a:\n  - id:b\n    c: 1', 5, 'Write a space after `id:`.'],
    ['a: x\n  b: y', 4, 'The next line continues this text, because it is indented deeper; indent it like the keys beside it.'],
    ['a:\n  -id: x\n    c: 1', 3, 'Write a space after the `-`: `- id`.'],
    ['a:\n  - id: x\n\tb: y\n    c: 1', 2, 'Tabs are not allowed as indentation; use spaces.'],
    ['a:\n  - id: x\n   b: y', 4, 'This line is not indented like the lines it belongs to, or its `-` is missing.'],
    ['a: "\\S+"', 5, 'Double quotes have no `\\S`; put the text in single quotes, where `\\` is itself.'],
    ['a: *', 4, 'A text cannot begin with `*`; put it in quotes.'],
    ['a: *@x.example', 4, 'A `*` without quotes repeats a value that `&` has named, and there is none; put a text in quotes.'],
  ])('says what to write instead of %j', (text, column, message) => {
    expect(faultOf(text).place).toMatchObject({ column, message })
  })

  it('repeats what an anchor means where the alias stands', () => {
    expect(parseYaml('- &x 1\n- *x\n- &x [2, *x2]\n- *x\n'.replace(', *x2', ''), 'x').value).toEqual([1, 1, [2], [2]])
  })

  it('tells every duplicate key, also beside other mistakes', () => {
    try {
      parseYaml('a: 1\na: 2\nb: { c: 1, c: 2 }\nd: @x\n', 'x')
    } catch (error) {
      expect(isTocsinError(error) && error.places.map(({ line, column, message }) => [line, column, message])).toEqual([
        [2, 1, 'The key `a` is already in line 1.'],
        [3, 12, 'The key `c` is already in line 3.'],
        [4, 4, expect.any(String)],
      ])
    }
    expect.assertions(1)
  })
})

describe('what is too large', () => {
  const small: YamlLimits = { bytes: 10_240, lines: 100, tokens: 500, depth: 10, keys: 20, items: 30 }
  const list = (count: number, item: string): string => Array(count).fill(item).join(', ')

  it.each([
    ['bytes', 'x'.repeat(10_241), 1, 'The document is larger than 10 KiB.'],
    ['bytes of UTF-8', 'é'.repeat(5_121), 1, 'The document is larger than 10 KiB.'],
    ['lines', `a: 1\n${'# c\n'.repeat(100)}`, 101, 'The document has more than 100 lines.'],
    ['empty lines', '\n'.repeat(100), 101, 'The document has more than 100 lines.'],
    [
      'values',
      `a:\n- [${list(29, '[x, [y], {}]')}]\n- [${list(29, '[x, [y], {}]')}]`,
      3,
      'The document has more than 500 keys, values and signs up to here.',
    ],
    ['commas', `a: [${','.repeat(600)}]`, 1, 'The document has more than 500 keys, values and signs up to here.'],
    ['keys', `a: 1\nb: {${Array.from({ length: 21 }, (_, index) => `k${index}: 1`).join(', ')}}`, 2, 'This mapping has 21 keys; 20 are allowed.'],
    ['items', `a: 1\nb: [${list(31, 'x')}]`, 2, 'This list has 31 items; 30 are allowed.'],
    ['brackets', `a: 1\nb: ${'['.repeat(20)}${']'.repeat(20)}`, 2, 'Nested deeper than 10 levels.'],
    ['open brackets', `a: ${'['.repeat(20_000)}`.slice(0, 9_000), 1, 'Nested deeper than 10 levels.'],
    ['open braces', '{a: '.repeat(2_000), 1, 'Nested deeper than 10 levels.'],
    ['dashes', '- '.repeat(2_000), 1, 'Nested deeper than 10 levels.'],
    ['indentation', Array.from({ length: 12 }, (_, level) => `${' '.repeat(level)}a:\n`).join(''), 12, 'Nested deeper than 10 levels.'],
    [
      'aliases',
      ['l0: &l0 [x, x, x, x, x]', ...Array.from({ length: 8 }, (_, level) => `l${level + 1}: &l${level + 1} [${list(8, `*l${level}`)}]`)].join('\n'),
      5,
      'The aliases of this document repeat more than 10000 values.',
    ],
  ])('is refused with its place: %s', (_what, text, line, message) => {
    const { code, place } = faultOf(text, small)
    expect({ code, line: place?.line, message: place?.message }).toEqual({ code: 'yaml_too_large', line, message })
  })

  it('is as large as the limits say, and not less', () => {
    expect(parseYaml(`b: {${Array.from({ length: 20 }, (_, index) => `k${index}: 1`).join(', ')}}`, 'x', small).value).toHaveProperty('b.k19', 1)
    expect(parseYaml(`[${list(30, 'x')}]`, 'x', small).value).toHaveLength(30)
    expect(parseYaml(`${'['.repeat(10)}x${']'.repeat(10)}`, 'x', small).value).toHaveLength(1)
    expect(parseYaml(`${'- '.repeat(10)}x`, 'x', small).value).toHaveLength(1)
  })
})
