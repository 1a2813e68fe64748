import { type Bomb, lintBomb, runBomb } from '../bomb.ts'

const hundred = Array.from({ length: 100 }, (_, index) => index)
const sixty = hundred.slice(0, 60)

const inputs = 'inputs: { list: { type: array, from: [content.list], required: true } }\n'

/** A condition as the `if` of a step, over a list of the alert, so that nothing is known before the run. */
function inRun(name: string, rule: (list: object) => object, list: unknown, ...comes: readonly string[]): Bomb {
  const text = JSON.stringify(rule({ var: 'inputs.list' }))
  const charge = { content: { list }, playbook: `${inputs}steps:\n  - id: it\n    if: ${text}\n    case: { note: x }\n` }
  return runBomb(`condition: ${name}`, () => charge, ...comes)
}

/** The same condition over a list that is written out, so that lint can work it out by itself. */
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

export const conditions: readonly Bomb[] = [
  inLint('a list that doubles in a loop in a loop', doubling(sixty)),
  inLint('four loops in each other', nested(hundred, 4)),
  inRun('a list that doubles in a loop in a loop', doubling, sixty, 'failed evaluation_exceeded'),
  inRun('four loops in each other', (list) => nested(list, 4), hundred, 'failed evaluation_exceeded'),
]
