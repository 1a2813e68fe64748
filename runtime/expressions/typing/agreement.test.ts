import { expect, it } from 'vitest'
import type { Json } from '../../domain/index.ts'
import { compileCondition, compileValue } from '../index.ts'
import { absent, fitOf, typeOfCondition, typeOfTemplate, typeOfValue, withRoots } from './index.ts'
import type { ProblemCode } from './problem.ts'
import { exactly, short } from './testing.ts'

/** Pseudo-random numbers from a seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

const context = {
  run: { now: 1_700_000_000_000 },
  text: 'abc',
  hollow: '',
  number: 3,
  zero: 0,
  flag: true,
  off: false,
  none: null,
  texts: ['abc', 'd'],
  counts: [1, 2, 3],
  nothing: [],
  time: '2023-11-14T00:00:00Z',
  ip: '10.0.0.1',
  net: '10.0.0.0/8',
  mail: 'ada@example.com',
  item: { name: 'x', size: 2, more: null, deep: { k: 'v' } },
  items: [{ name: 'x', n: 1 }, { name: 'y', n: 2 }, { name: 'z', role: 'PRIMARY' }, null],
} as const satisfies Record<string, Json>
const environment = withRoots(exactly(context), { gone: absent })

const paths = [
  ...Object.keys(context),
  'item.name',
  'item.nope',
  'item.deep.k',
  'item.more.x',
  'text.x',
  'items.0.name',
  'items.5',
  'counts.1',
  'gone.x',
  'flag.y',
]
const literals: readonly Json[] = ['abc', '', 'x', 3, 0, 1.5, true, false, null, '10.0.0.0/8', '10.0.0.1', '2h', ['abc', 'x'], [1, 2], []]
const strict = [
  '==',
  '!=',
  '<',
  '>=',
  '+',
  '-',
  'cat',
  'lower',
  'starts_with',
  'matches',
  'in',
  'length',
  'keys',
  'unique',
  'merge',
  '!',
  '!!',
  'before',
  'age',
  'cidr_contains',
  'is_private_ip',
  'substr',
] as const
const branching = ['and', 'or', 'if', 'some', 'all', 'filter', 'map', 'reduce'] as const
const one = new Set<string>(['lower', 'length', 'keys', 'unique', '!', '!!', 'age', 'is_private_ip'])

function randomRule(next: (below: number) => number, depth: number, names: readonly string[], items: boolean): Json {
  const pick = <T>(from: readonly T[]): T => from[next(from.length)] as T
  if (depth === 0 || next(5) === 0) {
    if (next(3) === 0) return pick(literals)
    const path = items && next(2) === 0 ? pick(['', 'name', 'n', 'current', 'accumulator']) : pick(paths)
    return next(4) === 0 ? { var: [path, pick(literals)] } : { var: path }
  }
  const name = pick(names)
  const inner = (loop = items): Json => randomRule(next, depth - 1, names, loop)
  if (name === 'reduce') return { [name]: [inner(), inner(true), inner()] }
  if (['some', 'all', 'filter', 'map'].includes(name)) return { [name]: [inner(), inner(true)] }
  if (name === 'if') return { [name]: [inner(), inner(), inner()] }
  return { [name]: one.has(name) ? [inner()] : [inner(), inner()] }
}

/** Failures that depend on the content of a text. Types do not know it. */
const ofValues = /needs (?:an IP address|a network|epoch).* not `|does not give a number|result is not|parsing regexp|base64/

/** Problems for which the evaluation certainly fails. */
const certain = new Set<ProblemCode>(['types_never_equal', 'operand_type', 'value_missing'])

it('reports a condition that fails over known values, and only then reports a certain failure', () => {
  const next = numbers(11)
  let failed = 0
  let passed = 0
  for (let round = 0; round < 5_000; round += 1) {
    const branches = next(3) === 0
    const rule: Json = { '!!': [randomRule(next, 3, branches ? [...strict, ...branching] : strict, false)] }
    let condition: ReturnType<typeof compileCondition>
    try {
      condition = compileCondition(rule)
    } catch {
      continue
    }
    const { problems } = typeOfCondition(rule, environment)
    const written = JSON.stringify(rule)
    try {
      condition.test(context)
      passed += 1
      // A branch that is not taken can have a problem, too.
      if (!branches)
        expect(
          problems.filter(({ code }) => certain.has(code)),
          written,
        ).toEqual([])
    } catch (error) {
      if ((error as { readonly code?: string }).code !== 'condition_failed') throw error
      if (ofValues.test((error as Error).message)) continue
      failed += 1
      expect(problems, `${written} fails: ${(error as Error).message}`).not.toEqual([])
    }
  }
  expect(failed).toBeGreaterThan(200)
  expect(passed).toBeGreaterThan(200)
})

it('knows the type of the result of a condition', () => {
  const next = numbers(5)
  let known = 0
  for (let round = 0; round < 5_000; round += 1) {
    const rule = randomRule(next, 3, [...strict, ...branching], false)
    const { type, problems } = typeOfCondition(rule, environment)
    if (problems.some(({ code }) => code !== 'comparison_constant' && code !== 'condition_constant' && code !== 'logic_pitfall')) continue
    // A condition does not show its value, so it is compared with each literal.
    for (const literal of literals) {
      let equal: boolean
      try {
        equal = compileCondition({ '===': [rule, literal] }).test(context)
      } catch {
        continue
      }
      known += 1
      if (equal)
        expect(fitOf(typeOfValue(literal), type), `${JSON.stringify(rule)} is ${JSON.stringify(literal)}, not ${short(type)}`).toEqual({
          fits: 'always',
        })
    }
  }
  expect(known).toBeGreaterThan(200)
})

const filters = [
  'upcase',
  'size',
  'first',
  'last',
  'join',
  'map: "name"',
  'plus: 1',
  'default: "d"',
  'default: 0',
  'split: ","',
  'compact',
  'json',
  'append: "x"',
  'where: "n", 1',
  'reject: "role", "PRIMARY"',
  'group_by: "n"',
  'has: "role"',
  'find_index: "role", "PRIMARY"',
  'map: "n"',
  'sort',
  'reverse',
  'uniq',
  'find: "n", 2',
  'slice: 0, 2',
  'sum: "n"',
  'concat: texts',
  'times: 2',
  'round',
]

/** After `default`, a result has the kind of the value or of the default. Lint reports only what certainly fails. */
function eitherKind(source: string, error: unknown): boolean {
  return source.includes('default:') && /needs a .*, not (?:a list|an object)/.test((error as Error).message)
}

function randomTemplate(next: (below: number) => number): string {
  const pick = <T>(from: readonly T[]): T => from[next(from.length)] as T
  const output = (): string => `{{ ${[pick(paths), ...Array.from({ length: next(4) }, () => pick(filters))].join(' | ')} }}`
  switch (next(6)) {
    case 0:
      return `a ${output()} b ${output()}`
    case 1:
      return `{% if ${pick(paths)} ${pick(['', '== "abc"', '!= nil', '> 2', 'contains "a"'])} %}${output()}{% else %}${output()}{% endif %}`
    case 2:
      return `{% for x in ${pick(paths)} %}{{ x${pick(['', '.name', '.nope'])} }}{% endfor %}`
    case 3:
      return `{% assign x = ${pick(paths)} %}{{ x${pick(['', '.name', '.size'])} }}!`
    default:
      return output()
  }
}

it('reports a template that fails over known values, and knows the type of the result of the others', () => {
  const next = numbers(3)
  let failed = 0
  let rendered = 0
  for (let round = 0; round < 5_000; round += 1) {
    const source = randomTemplate(next)
    const { type, problems } = typeOfTemplate(source, environment)
    let result: Json | undefined
    try {
      result = compileValue(source).render(context)
    } catch (error) {
      if (ofValues.test((error as Error).message) || eitherKind(source, error)) continue
      failed += 1
      expect(problems, `${source} fails: ${(error as Error).message}`).not.toEqual([])
      continue
    }
    rendered += 1
    if (problems.some(({ code }) => code === 'filter_input' || code === 'filter_argument')) continue
    if (result === undefined) expect(problems.length > 0 || type.absence !== 'no', source).toBe(true)
    else expect(fitOf(typeOfValue(result), type), `${source} is ${JSON.stringify(result)}, not ${short(type)}`).toEqual({ fits: 'always' })
  }
  expect(failed).toBeGreaterThan(200)
  expect(rendered).toBeGreaterThan(200)
})
