import type { Json } from '../../domain/index.ts'

/** What conditions' operators do, each with an example over `operatorContext`; docs/reference/expressions.md and editors show it. */
export interface OperatorEntry {
  readonly does: string
  readonly example: Json
}

/** What the examples read. */
export const operatorContext = {
  run: { now: 1_793_523_851_000 },
  vars: {
    user: 'Ada@Example.com',
    ip: '10.1.2.3',
    tags: ['vip', 'admin', 'vip'],
    devices: [{ os: 'iOS', age: 3 }, { os: 'Android' }],
    seen: '2026-11-01T09:00:00Z',
  },
} as const

const reading: Readonly<Record<string, OperatorEntry>> = {
  var: {
    does: 'the value at a path; the second argument where it is missing, else a missing path is an error',
    example: { var: ['vars.nobody', ''] },
  },
  missing: { does: 'which of these paths are missing, null or empty', example: { missing: ['vars.user', 'vars.nobody'] } },
  missing_some: { does: 'the missing ones, if fewer than so many are there', example: { missing_some: [1, ['vars.user', 'vars.nobody']] } },
}

const logic: Readonly<Record<string, OperatorEntry>> = {
  and: { does: 'the first that does not hold, else the last', example: { and: [true, { '!=': [{ var: 'vars.user' }, ''] }] } },
  or: { does: 'the first that holds, else the last', example: { or: [{ var: ['vars.nobody', null] }, []] } },
  '!': { does: 'whether it does not hold; empty texts and lists, 0, false and null do not', example: { '!': [[]] } },
  '!!': { does: 'whether it holds', example: { '!!': [{ var: 'vars.tags' }] } },
  if: { does: 'condition, value, further pairs, else', example: { if: [{ '>': [{ length: { var: 'vars.tags' } }, 2] }, 'many', 'few'] } },
  '?:': { does: 'the same with one condition', example: { '?:': [true, 1, 2] } },
}

const comparison: Readonly<Record<string, OperatorEntry>> = {
  '==': {
    does: 'the same value, all the way down; null compares with anything, other different types are an error',
    example: { '==': [{ var: 'vars.ip' }, '10.1.2.3'] },
  },
  '===': { does: 'the same as `==`', example: { '===': [1, 1] } },
  '!=': { does: 'another value', example: { '!=': [{ var: 'vars.user' }, ''] } },
  '!==': { does: 'the same as `!=`', example: { '!==': [1, 2] } },
  '<': { does: 'less; of three the middle is between', example: { '<': [1, 2, 3] } },
  '<=': { does: 'not more; of three likewise', example: { '<=': [1, 1, 3] } },
  '>': { does: 'more; two numbers or two texts', example: { '>': [2, 1] } },
  '>=': { does: 'not less', example: { '>=': [2, 2] } },
}

const numbers: Readonly<Record<string, OperatorEntry>> = {
  '+': { does: 'the sum', example: { '+': [1, 2, 3] } },
  '-': { does: 'the difference; of one the negative', example: { '-': [3, 1] } },
  '*': { does: 'the product', example: { '*': [2, 3] } },
  '/': { does: 'the quotient; by zero is an error', example: { '/': [7, 2] } },
  '%': { does: 'the rest of a division', example: { '%': [7, 2] } },
  min: { does: 'the smallest', example: { min: [3, 1, 2] } },
  max: { does: 'the largest', example: { max: [3, 1, 2] } },
}

const text: Readonly<Record<string, OperatorEntry>> = {
  matches: { does: 'whether an RE2 pattern matches anywhere in the text', example: { matches: [{ var: 'vars.user' }, '(?i)@example\\.com$'] } },
  starts_with: { does: 'whether the text begins so', example: { starts_with: [{ var: 'vars.ip' }, '10.'] } },
  ends_with: { does: 'whether the text ends so', example: { ends_with: [{ lower: { var: 'vars.user' } }, '@example.com'] } },
  lower: { does: 'in small letters', example: { lower: { var: 'vars.user' } } },
  upper: { does: 'in capitals', example: { upper: { var: 'vars.user' } } },
  trim: { does: 'without white space around it', example: { trim: '  a ' } },
  cat: { does: 'texts, numbers and booleans as one text', example: { cat: ['a', 1] } },
  substr: { does: 'from a position on, negative from the end, so many characters', example: { substr: ['abcdef', -3, 2] } },
  in: { does: 'whether a text is in a text, or a value in a list', example: { in: ['vip', { var: 'vars.tags' }] } },
}

const lists: Readonly<Record<string, OperatorEntry>> = {
  length: { does: 'how many items, characters or members', example: { length: { var: 'vars.tags' } } },
  unique: { does: 'each item once', example: { unique: { var: 'vars.tags' } } },
  keys: { does: "an object's names", example: { keys: { var: 'vars.devices.0' } } },
  merge: { does: 'the items of all lists', example: { merge: [[1], [2, 3]] } },
  some: {
    does: 'whether it holds for an item; inside, `var` reads from the item',
    example: { some: [{ var: 'vars.devices' }, { '==': [{ var: 'os' }, 'iOS'] }] },
  },
  all: { does: 'whether it holds for every item, and there is one', example: { all: [{ var: 'vars.devices' }, { '!=': [{ var: 'os' }, ''] }] } },
  none: { does: 'whether it holds for no item', example: { none: [{ var: 'vars.devices' }, { '==': [{ var: 'os' }, 'Windows'] }] } },
  filter: { does: 'the items for which it holds', example: { filter: [{ var: 'vars.devices' }, { '>': [{ var: ['age', 0] }, 1] }] } },
  map: { does: 'a value of each item', example: { map: [{ var: 'vars.devices' }, { var: 'os' }] } },
  reduce: {
    does: 'one value of all items: `current` and `accumulator`',
    example: { reduce: [[1, 2, 3], { '+': [{ var: 'current' }, { var: 'accumulator' }] }, 0] },
  },
}

const network: Readonly<Record<string, OperatorEntry>> = {
  cidr_contains: {
    does: 'whether a network, or one of a list, holds an address',
    example: { cidr_contains: [['192.168.0.0/16', '10.0.0.0/8'], { var: 'vars.ip' }] },
  },
  is_private_ip: { does: 'whether nobody on the internet can have the address', example: { is_private_ip: { var: 'vars.ip' } } },
  domain_of: { does: 'the host of an e-mail address, URL or host name', example: { domain_of: { var: 'vars.user' } } },
}

const time: Readonly<Record<string, OperatorEntry>> = {
  before: {
    does: 'whether a time (ISO 8601 or epoch milliseconds) is before another',
    example: { before: [{ var: 'vars.seen' }, { var: 'run.now' }] },
  },
  after: { does: 'whether it is after another', example: { after: [{ var: 'vars.seen' }, { var: 'run.now' }] } },
  age: { does: "milliseconds from a time to the run's now", example: { age: { var: 'vars.seen' } } },
}

/** By group, every operator. */
export const operatorReference: Readonly<Record<string, Readonly<Record<string, OperatorEntry>>>> = {
  Reading: reading,
  Logic: logic,
  Comparison: comparison,
  Numbers: numbers,
  Text: text,
  Lists: lists,
  Addresses: network,
  Time: time,
}

/** Operators that are Tocsin's own; the others are json-logic's, without its coercion. */
export const addedOperators: readonly string[] = [
  'matches',
  'starts_with',
  'ends_with',
  'lower',
  'upper',
  'trim',
  'length',
  'unique',
  'keys',
  'cidr_contains',
  'is_private_ip',
  'domain_of',
  'before',
  'after',
  'age',
]
