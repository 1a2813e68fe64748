import { describe, expect, it } from 'vitest'
import { isTocsinError } from '../errors/index.ts'
import { parseYaml } from './index.ts'

function faultOf(text: string) {
  try {
    parseYaml(text, 'x.yaml')
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

  it('reads an empty file as null', () => {
    expect(parseYaml('# nothing\n', 'x').value).toBeNull()
  })

  it('repeats the value of an alias', () => {
    expect(parseYaml('a: &x { k: [1] }\nb: *x\n', 'x').value).toEqual({ a: { k: [1] }, b: { k: [1] } })
  })

  it.each([
    ['a syntax error where it begins', 'a: [1,\nb: 2\n', 1],
    ['a duplicate key', 'a: 1\nb: 2\na: 3\n', 3],
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

  it.each([
    ['a second document', 'a: 1\n---\nb: 2\n', 'A file is one document, and `---` begins a second one here.'],
    ['a document that the parser cannot hold', `a: ${'['.repeat(20_000)}${']'.repeat(20_000)}`, 'The document is nested too deeply.'],
  ])('tells %s in words of its own', (_what, text, message) => {
    expect(faultOf(text).place?.message).toBe(message)
  })

  it('refuses aliases that stand for billions of values, at once', () => {
    const levels = Array.from({ length: 12 }, (_, level) => `l${level + 1}: &l${level + 1} [${Array(9).fill(`*l${level}`).join(', ')}]`)
    const { message } = faultOf(['l0: &l0 [x, x, x, x, x, x, x, x, x]', ...levels].join('\n'))
    expect(message).toContain('aliases')
  })

  it.each([['['], ['{a: '], ['- ']])('refuses nesting without end (%s)', (opening) => {
    expect(faultOf(opening.repeat(20_000)).code).toBe('yaml_invalid')
  })
})
