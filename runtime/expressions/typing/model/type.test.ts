import { describe, expect, it } from 'vitest'
import type { Json } from '../../../domain/index.ts'
import {
  any,
  fitOf,
  foreign,
  integer,
  isAny,
  isNever,
  list,
  listOf,
  memberOf,
  never,
  nullable,
  number,
  objectOf,
  oneOf,
  optional,
  type Type,
  text,
  textOf,
  typeOfSchema,
  typeOfValue,
  union,
} from '../index.ts'
import { short } from '../testing.ts'
import { apart, intersect } from './intersect.ts'

describe('a union', () => {
  it.each<[Type, Type, string]>([
    [never, text, 'text'],
    [oneOf('a'), oneOf('b'), '"a" or "b"'],
    [oneOf('a'), text, 'text'],
    [integer, number, 'number'],
    [textOf({ format: 'email' }), oneOf(''), 'text (email)'],
    [textOf({ format: 'email' }), oneOf('x'), 'text'],
    [listOf(text), listOf(integer), 'list of (integer or text)'],
    [any, text, 'anything'],
    [optional(text), nullable(integer), 'integer or text or null?'],
    [objectOf({ a: text }), objectOf({ b: text }), 'object (a, b)'],
  ])('%#: %s', (a, b, shown) => {
    expect(short(union(a, b))).toBe(shown)
    expect(short(union(b, a)).length).toBe(shown.length)
  })

  it('of objects: a member that only one of them has may be missing', () => {
    const both = union(objectOf({ a: text, c: text }), objectOf({ b: text, c: integer }))
    expect(short(memberOf(both, 'a', 'condition', 'x').type)).toBe('text?')
    expect(short(memberOf(both, 'c', 'condition', 'x').type)).toBe('integer or text')
  })

  it('with anything is anything, at any depth', () => {
    expect(isAny(union(listOf(text), any))).toBe(true)
    expect(isAny(union(foreign, objectOf({ a: text })))).toBe(true)
  })

  it('does not list its values if there are many', () => {
    const words = Array.from({ length: 300 }, (_, index) => oneOf(`w${index}`)).reduce(union)
    expect(short(words)).toBe('text')
  })
})

describe('an intersection', () => {
  it.each<[Type, Type, string]>([
    [any, text, 'text'],
    [number, integer, 'integer'],
    [oneOf('a', 'b'), oneOf('b', 'c'), '"b"'],
    [nullable(text), nullable(integer), 'null'],
    [textOf({ format: 'email' }), text, 'text (email)'],
    [optional(text), text, 'text'],
    [listOf(any), listOf(text), 'list of text'],
  ])('%#: %s', (a, b, shown) => {
    expect(short(intersect(a, b))).toBe(shown)
  })

  it('is empty for types that share no value', () => {
    expect(apart(oneOf('a'), oneOf('b'))).toBe(true)
    expect(apart(text, integer)).toBe(true)
    expect(apart(text, oneOf('b'))).toBe(false)
  })
})

describe('a member', () => {
  const type = typeOfSchema({
    type: 'object',
    required: ['list', 'text'],
    additionalProperties: false,
    properties: {
      list: { type: 'array', items: { type: 'integer' } },
      text: { type: 'string' },
      more: { type: ['object', 'null'], required: ['deep'], properties: { deep: { type: 'string' } } },
    },
  })
  const along = (path: string, language: 'template' | 'condition'): string => {
    let at = type
    for (const key of path.split('.')) {
      const { type: found, fault } = memberOf(at, key, language, 'it')
      if (fault !== null) return `${fault.code}: ${fault.message}`
      at = optional(found, at.absence)
    }
    return short(at)
  }

  it.each([
    ['list', 'list of integer', 'list of integer'],
    ['list.0', 'integer?', 'integer?'],
    [
      'list.size',
      'integer',
      'no_members: `it` is a list of integer, which has no member `size`; read its items with an index, or `some`, `all`, `map`',
    ],
    [
      'list.first',
      'integer?',
      'no_members: `it` is a list of integer, which has no member `first`; read its items with an index, or `some`, `all`, `map`',
    ],
    ['text.size', 'integer', 'no_members: `it` is a text, which has no member `size`'],
    ['text.x', 'no_members: `it` is a text, which has no member `x`', 'no_members: `it` is a text, which has no member `x`'],
    ['size', 'integer', 'unknown_member: `it` has no member `size`; its members are list, text, more'],
    // A member of null is null in templates, and missing in conditions.
    ['more.deep', 'text or null?', 'text?'],
    ['lst', 'unknown_member: `it` has no member `lst`; did you mean `list`?', 'unknown_member: `it` has no member `lst`; did you mean `list`?'],
  ])('%s', (path, inTemplate, inCondition) => {
    expect(along(path, 'template')).toBe(inTemplate)
    expect(along(path, 'condition')).toBe(inCondition)
  })

  it('that an open schema does not name is misspelt if a name is near, and undeclared otherwise', () => {
    const open = typeOfSchema({ type: 'object', properties: { status: {}, level: {} } })
    expect(memberOf(open, 'staus', 'template', 'it').fault).toEqual({
      code: 'unknown_member',
      message: '`it` has no member `staus`; did you mean `status`?',
      misspelt: { name: 'staus', meant: 'status' },
    })
    expect(memberOf(open, 'colour', 'template', 'it').fault).toEqual({
      code: 'undeclared_member',
      message: 'nothing says that `it` has a member `colour`; its members are status, level',
    })
    expect(memberOf(typeOfSchema({ type: 'object' }), 'colour', 'template', 'it').fault).toBeNull()
  })
})

describe('whether a given type fits a needed one', () => {
  const needed = typeOfSchema({
    type: 'object',
    required: ['name'],
    additionalProperties: false,
    properties: {
      name: { type: 'string' },
      status: { enum: ['open', 'closed'] },
      count: { type: 'integer' },
      tags: { type: 'array', items: { type: 'string' } },
    },
  })
  it.each<[string, Type, Type, string]>([
    ['text for text', text, text, 'always'],
    ['anything', any, text, 'perhaps: is anything, and must be text'],
    ['a number for a text', number, text, 'never: is number, and must be text'],
    ['null for a text', nullable(text), text, 'perhaps: is null, and must be text'],
    ['an integer for a number', integer, number, 'always'],
    ['a number for an integer', number, integer, 'perhaps: is number, and must be integer'],
    ['1.5 for an integer', typeOfValue(1.5), integer, 'never: is 1.5, and must be integer'],
    ['a word of the list', oneOf('open'), oneOf('open', 'closed'), 'always'],
    ['a misspelt word', oneOf('opne'), oneOf('open', 'closed'), 'never: is "opne", and must be "open" or "closed"; did you mean `open`?'],
    ['words of which one is wrong', oneOf('open', 'x'), oneOf('open', 'closed'), 'perhaps: is "open" or "x", and must be "open" or "closed"'],
    ['any text for a word', text, oneOf('open'), 'perhaps: is text, and must be "open"'],
    ['an address for a date', textOf({ format: 'email' }), textOf({ format: 'date-time' }), 'never: is text (email), and must be text (date-time)'],
    ['ipv4 for ip', textOf({ format: 'ipv4' }), textOf({ format: 'ip' }), 'perhaps: is text (ipv4), and must be text (ip)'],
    ['a text for a list', text, list, 'never: is text, and must be list'],
    ['a list of numbers for one of texts', listOf(integer, 1), listOf(text), 'never *: is integer, and must be text'],
    ['a list that may be empty', listOf(integer), listOf(text), 'never *: is integer, and must be text'],
    ['an object', objectOf({ name: text }), needed, 'always'],
    ['an object without what is required', objectOf({}), needed, 'never name: is missing'],
    ['an object that may be without it', objectOf({ name: optional(text) }), needed, 'perhaps name: may be missing'],
    ['an optional member that may be missing', objectOf({ name: text, status: optional(oneOf('open')) }), needed, 'always'],
    ['a member too many', objectOf({ name: text, nmae: text }), needed, 'never nmae: is not a member here; did you mean `name`?'],
    ['a member of another kind', objectOf({ name: text, count: text }), needed, 'never count: is text, and must be integer'],
    ['something deep', objectOf({ name: text, tags: typeOfValue(['a', 1]) }), needed, 'perhaps tags.*: is 1, and must be text'],
    ['text or number for a list', union(text, integer), list, 'never: is integer or text, and must be list'],
  ])('%s', (_what, given, target, expected) => {
    const found = fitOf(given, target)
    const misfit = found.fits === 'always' ? '' : `${found.misfit.path.length > 0 ? ` ${found.misfit.path.join('.')}` : ''}: ${found.misfit.message}`
    expect(`${found.fits}${misfit}`).toBe(expected)
  })
})

it.each<[Json, string]>([
  [null, 'null'],
  [true, 'true'],
  ['x', '"x"'],
  [[1, 'a'], 'list of (1 or "a")'],
  [[], 'empty list'],
  [{ a: 1 }, 'object (a)'],
])('knows the value %j exactly', (value, shown) => {
  expect(short(typeOfValue(value))).toBe(shown)
  expect(isNever(typeOfValue(value))).toBe(false)
  expect(fitOf(typeOfValue(value), typeOfValue(value)).fits).toBe('always')
})
