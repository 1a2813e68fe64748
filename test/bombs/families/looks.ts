import type { Bomb } from '../bomb.ts'
import type { Charge } from '../charge.ts'
import { listOf } from './parts.ts'

/** Makes a bomb whose run completes, but is expensive to show: each request retraces the run. */
function lookBomb(name: string, charge: () => Charge, ...queries: readonly string[]): Bomb {
  return { name: `look: ${name}`, comes: ['answered', 'refused run_takes_too_long'], fire: (range) => range.look(charge(), queries) }
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index)
const inputs = 'inputs: { list: { type: array, from: [content.list], required: true } }\n'
const pages = ['steps?limit=1000', 'steps?limit=1000&loops=grouped', 'steps?limit=1000&state=failed']

/** A condition that tests each pair of items of two lists. */
const pairs = { some: [{ var: 'inputs.list' }, { some: [numbers(100), { '<': [{ var: '' }, 0] }] }] }

/** Nests a condition in `and`s. To explain it, Tocsin evaluates the innermost one once for each of them. */
function within(times: number, rule: object): object {
  return numbers(times).reduce<object>((inner) => ({ and: [inner] }), rule)
}

/** Returns a playbook with one step that has this condition. */
const guarded = (condition: object, step: string): string => `${inputs}steps:\n  - id: it\n    if: ${JSON.stringify(condition)}\n    ${step}\n`

const looped = (content: unknown, steps: string): Charge => ({
  content,
  playbook: `${inputs}limits: { steps: 100000 }\nsteps:\n  - id: each\n    foreach: '{{ inputs.list }}'\n    as: item\n    max_items: 10000\n    steps:\n${steps}`,
})

export const looks: readonly Bomb[] = [
  lookBomb(
    'a condition nested in twenty others',
    () => ({ content: { list: numbers(900) }, playbook: guarded(within(20, pairs), 'case: { note: x }') }),
    ...pages,
  ),
  lookBomb(
    'a condition of 300 parts over a text of a megabyte',
    () => ({
      content: { list: ['x'.repeat(900_000)] },
      playbook: guarded({ and: numbers(300).map((number) => ({ '!=': [{ var: ['inputs.list.0', ''] }, `${number}`] })) }, 'case: { note: x }'),
    }),
    ...pages,
  ),
  lookBomb(
    '10,000 iterations with conditions',
    () =>
      looped(
        { list: numbers(10_000) },
        `      - id: keep\n        set: { seen: '{{ item }}' }\n      - id: say\n        if: { '==': [{ var: item }, 77] }\n        case: { note: x }\n`,
      ),
    ...pages,
    'step?address=each/9999/keep',
  ),
  lookBomb(
    'a loop whose iterations all take different branches',
    () =>
      looped(
        { list: numbers(4_096) },
        numbers(12)
          .map(
            (bit) =>
              `      - id: b${bit}\n        if: { '>=': [{ '%': [{ var: item }, ${2 ** (bit + 1)}] }, ${2 ** bit}] }\n        set: { b: '1' }\n`,
          )
          .join(''),
      ),
    ...pages,
  ),
  lookBomb(
    '150 steps that each set a list of 100,000',
    () => ({
      content: { list: numbers(100_000) },
      playbook: `${inputs}steps:\n${numbers(150)
        .map((number) => `  - id: s${number}\n    set: { all: '{{ inputs.list }}' }\n`)
        .join('')}`,
    }),
    ...pages,
    'step/value?part=output&address=s1',
  ),
  lookBomb(
    'an output of a megabyte, read by a hundred conditions',
    () => ({
      content: {},
      answers: { looked: `{"a":${listOf('"xxxxxxxxx"', 900_000)}}` },
      playbook: `steps:\n  - id: read\n    skill: target.fetch\n    with: { name: looked }\n${numbers(100)
        .map((number) => `  - id: s${number}\n    if: { in: ['y', { var: [steps.read.output.a, []] }] }\n    case: { note: x }\n`)
        .join('')}`,
    }),
    ...pages,
    'step/value?part=output&address=read',
  ),
]
