import { type Bomb, lintBomb, runBomb } from '../bomb.ts'

const hundred = Array.from({ length: 100 }, (_, index) => index)
const sixty = hundred.slice(0, 60)

const inputs = 'inputs: { list: { type: array, from: [content.list], required: true } }\n'

/**
 * Makes a bomb with a condition as the `if` of a step. The list is in the alert, so nothing is
 * known before the run.
 */
function inRun(name: string, rule: (list: object) => object, list: unknown, ...comes: readonly string[]): Bomb {
  const text = JSON.stringify(rule({ var: 'inputs.list' }))
  const charge = { content: { list }, playbook: `${inputs}steps:\n  - id: it\n    if: ${text}\n    case: { note: x }\n` }
  return runBomb(`condition: ${name}`, () => charge, ...comes)
}

/** Makes a bomb with the same condition over a list in the playbook, so that lint can evaluate it. */
function inLint(name: string, rule: object): Bomb {
  const text = `format: 1\nplaybook: it\nalert_type: it\nsteps:\n  - id: it\n    if: ${JSON.stringify(rule)}\n    case: { note: x }\n`
  return lintBomb(`condition, linted: ${name}`, () => text, 'answered')
}

/** Doubles a list at each of eight steps, for each item of a list. */
function doubling(list: unknown): object {
  const doubled = { reduce: [hundred.slice(1, 21), { merge: [{ var: 'accumulator' }, { var: 'accumulator' }] }, hundred.slice(1, 9)] }
  return { '>': [{ length: { map: [list, doubled] } }, 5] }
}

function nested(list: unknown, depth: number): object {
  return depth === 0 ? { '>=': [{ var: '' }, 0] } : { all: [list, nested(hundred, depth - 1)] }
}

/** Makes a loop that lengthens a list or text in each iteration. */
function growing(list: unknown, by: object): object {
  return { '>': [{ length: { reduce: [list, by, 'ab'] } }, 5] }
}

const each = { var: '' }
const kept = { var: 'accumulator' }
const words = Array.from({ length: 20_000 }, (_, index) => `word ${index}`)
const some = words.slice(0, 1_000)
const exceeded = 'failed evaluation_exceeded'

/** Conditions over a list of the alert. */
const rules: readonly (readonly [name: string, rule: (list: object) => object, list: unknown])[] = [
  ['a text that doubles', (list) => growing(list, { cat: [kept, kept] }), sixty],
  ['a text that grows', (list) => growing(list, { cat: [kept, 'x'.repeat(1_000)] }), words],
  ['a list made unique in a loop', (list) => ({ all: [list, { '>': [{ length: { unique: [some] } }, 0] }] }), words],
  ['a list searched in a loop', (list) => ({ all: [list, { '!': { in: [{ cat: [each, '!'] }, some] } }] }), words],
  ['lists joined in a loop', (list) => ({ all: [list, { '>': [{ length: { merge: [some, some, some] } }, 0] }] }), words],
  ['a loop that ends late', (list) => ({ none: [list, { some: [some, { '==': [each, 'nowhere'] }] }] }), words],
  [
    'texts in lower case in a loop',
    (list) => ({ all: [list, { '!=': [{ lower: { cat: [each, 'X'.repeat(50_000)] } }, 'X'.repeat(50_000)] }] }),
    words.map((word) => word.repeat(3)),
  ],
  ['lists filtered in lists', (list) => ({ '>': [{ length: { filter: [list, { '>': [{ length: { filter: [some, true] } }, 0] }] } }, 0] }), words],
]

export const conditions: readonly Bomb[] = [
  ...rules.map(([name, rule, list]) => inRun(name, rule, list, exceeded)),
  inLint('a list that doubles in a loop in a loop', doubling(sixty)),
  inLint('four loops in each other', nested(hundred, 4)),
  ...rules.slice(0, 2).map(([name, rule]) => inLint(name, rule(hundred))),
  inLint('a search by a pattern', { matches: ['ab'.repeat(5_000), '(a|b|ab)*c'] }),
  inRun('a list that doubles in a loop in a loop', doubling, sixty, 'failed evaluation_exceeded'),
  inRun('four loops in each other', (list) => nested(list, 4), hundred, 'failed evaluation_exceeded'),
]
