import { hint, type Misspelling, misspelling } from '../../yaml/index.ts'

/** Operators of other languages, with ours that take the same arguments in the same order. */
const same: Readonly<Record<string, string>> = {
  ...{ '=': '==', eq: '==', equals: '==', equal: '==', is: '==', '<>': '!=', '=!': '!=', ne: '!=', neq: '!=', not_equals: '!=' },
  ...{ '=>': '>=', ge: '>=', gte: '>=', '=<': '<=', le: '<=', lte: '<=', gt: '>', lt: '<' },
  ...{ '&&': 'and', '&': 'and', '||': 'or', '|': 'or', not: '!' },
  ...{ startswith: 'starts_with', startsWith: 'starts_with', endswith: 'ends_with', endsWith: 'ends_with' },
  ...{ regex: 'matches', match: 'matches', '=~': 'matches', '~': 'matches', any: 'some', every: 'all', concat: 'cat' },
  ...{ len: 'length', size: 'length', count: 'length', lowercase: 'lower', downcase: 'lower', uppercase: 'upper', upcase: 'upper', strip: 'trim' },
}

/** Operators of other languages, with what to write here instead. */
const otherwise: Readonly<Record<string, string>> = {
  contains: '`in` takes what is looked for first: { in: [part, whole] }',
  includes: '`in` takes what is looked for first: { in: [part, whole] }',
  has: '`in` takes what is looked for first: { in: [part, whole] }',
  not_in: 'write { "!": { in: [value, list] } }',
  'not in': 'write { "!": { in: [value, list] } }',
  nin: 'write { "!": { in: [value, list] } }',
  not_contains: 'write { "!": { in: [part, whole] } }',
  exists: 'ask { "!=": [{ var: [path, null] }, null] }',
  defined: 'ask { "!=": [{ var: [path, null] }, null] }',
  is_empty: 'ask { "!": { var: [path, null] } }',
  empty: 'ask { "!": { var: [path, null] } }',
  between: '`<` and `<=` take three: { "<=": [1, { var: path }, 10] }',
}

/** For the message about an unknown operator: the one that was probably meant. `misspelt` is set if that is certain. */
export function operatorMeant(name: string, known: readonly string[]): { readonly told: string; readonly misspelt?: Misspelling } {
  const meant = Object.hasOwn(same, name) ? same[name] : undefined
  if (meant !== undefined && known.includes(meant)) return { told: `; did you mean \`${meant}\`?`, misspelt: { name, meant } }
  const way = Object.hasOwn(otherwise, name) ? otherwise[name] : undefined
  return way === undefined ? { told: hint(name, known), ...misspelling(name, known) } : { told: `; ${way}` }
}
