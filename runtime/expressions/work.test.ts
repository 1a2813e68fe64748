import { describe, expect, it } from 'vitest'
import type { Json } from '../domain/index.ts'
import { type Context, compileCondition, mostWork, WorkBudget } from './index.ts'

/** Returns the work units that evaluating a rule took. Throws if it took too many. */
function workOf(rule: Json, context: Context = {}): number {
  const budget = new WorkBudget(mostWork)
  compileCondition(rule).test(context, budget)
  return budget.spent
}

const items = (count: number): Json => Array.from({ length: count }, (_, index) => index)
const doubled: Json = { merge: [{ var: 'accumulator' }, { var: 'accumulator' }] }
const nested = (depth: number): Json => (depth === 0 ? { '>=': [{ var: '' }, 0] } : { all: [items(100), nested(depth - 1)] })
const long = 'a'.repeat(200_000)
const wide: Json = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`k${index}`, index]))

describe('a condition that takes too much work ends with `evaluation_exceeded`', () => {
  it.each<[string, Json, Context]>([
    ['a list that doubles in a loop in a loop', { '>': [{ length: { map: [items(60), { reduce: [items(20), doubled, items(8)] }] } }, 5] }, {}],
    ['loops in loops', nested(4), {}],
    ['a text that doubles', { '!!': { reduce: [items(60), { cat: [{ var: 'accumulator' }, { var: 'accumulator' }] }, 'ab'] } }, {}],
    [
      'a text that is looked for in itself',
      { in: [{ var: 'part' }, { var: 'text' }] },
      { text: long, part: `${'a'.repeat(5_000)}b${'a'.repeat(5_000)}` },
    ],
    ['all items looked for among all', { all: [{ var: 'list' }, { in: [{ var: '' }, items(5_000)] }] }, { list: items(5_000) }],
    [
      'large values compared in a loop',
      { all: [{ var: 'list' }, { '==': [{ var: 'a' }, { var: 'b' }] }] },
      { list: Array.from({ length: 100 }, () => ({ a: wide, b: { ...(wide as object) } })) },
    ],
    ['a pattern over long texts', { all: [{ var: 'list' }, { matches: [{ var: '' }, '(?:a?){50}a{50}$'] }] }, { list: [long, long] }],
    [
      'a pattern of the alert in a loop',
      { none: [{ var: 'list' }, { matches: ['y', { var: '' }] }] },
      { list: Array.from({ length: 500 }, (_, index) => `x${index}`) },
    ],
    ['many distinct values', { '!!': { unique: { map: [{ var: 'list' }, long] } } }, { list: items(500) }],
    ['keys of a large object in a loop', { all: [{ var: 'list' }, { keys: { var: '' } }] }, { list: Array.from({ length: 100 }, () => wide) }],
    [
      'many paths that may be missing',
      { all: [{ var: 'list' }, { '!': { missing: items(500) } }] },
      { list: Array.from({ length: 1_000 }, () => items(500)) },
    ],
    [
      'networks in a loop',
      { none: [{ var: 'list' }, { cidr_contains: [{ var: '' }, '10.0.0.1'] }] },
      { list: Array.from({ length: 10_000 }, () => '11.0.0.0/8') },
    ],
    ['long texts in other cases', { all: [{ var: 'list' }, { lower: { var: '' } }] }, { list: Array.from({ length: 100 }, () => long) }],
    [
      'lists in lists',
      {
        '==': [
          { reduce: [items(40), [{ var: 'accumulator' }, { var: 'accumulator' }], []] },
          { reduce: [items(40), [{ var: 'accumulator' }, { var: 'accumulator' }], []] },
        ],
      },
      {},
    ],
  ])('%s', (_name, rule, context) => {
    const condition = compileCondition(rule)
    expect(() => condition.test(context)).toThrow(expect.objectContaining({ code: 'evaluation_exceeded' }))
  })

  it('names the rule, its limit, and the place where it stopped', () => {
    const rule: Json = { '>': [{ length: { map: [items(3), { reduce: [items(20), doubled, items(8)] }] } }, 5] }
    expect(() => compileCondition(rule).test({})).toThrow(
      /^`\{">":\[\{"length":\{"map":\[\[0,1,2\],.*…` takes more than 2,000,000 units of work; it stopped in `merge`, in item 16 of 20 of `reduce`, in item 1 of 3 of `map`\.$/,
    )
  })
})

describe('an ordinary condition over ten thousand items stays below its limit', () => {
  const people = Array.from({ length: 10_000 }, (_, index) => ({
    name: `person-${index}@example.com`,
    role: index % 2 === 0 ? 'user' : 'admin',
    n: index,
  }))
  it.each<[string, Json]>([
    ['a member compared', { some: [{ var: 'people' }, { '==': [{ var: 'role' }, 'nobody'] }] }],
    ['several members compared', { all: [{ var: 'people' }, { and: [{ in: [{ var: 'role' }, ['user', 'admin']] }, { '>=': [{ var: 'n' }, 0] }] }] }],
    ['a pattern', { all: [{ var: 'people' }, { matches: [{ var: 'name' }, '@example\\.com$'] }] }],
    ['a sum', { '>': [{ reduce: [{ var: 'people' }, { '+': [{ var: 'accumulator' }, { var: 'current.n' }] }, 0] }, 5] }],
    ['each once', { '>': [{ length: { unique: { map: [{ var: 'people' }, { lower: { var: 'name' } }] } } }, 5] }],
    ['the end of a text', { none: [{ var: 'people' }, { ends_with: [{ lower: { var: 'name' } }, '@example.org'] }] }],
  ])('%s', (_name, rule) => {
    expect(workOf(rule, { people })).toBeLessThan(mostWork)
  })
})

it('takes the same work each time, regardless of earlier patterns and matches', () => {
  const rule: Json = { some: [{ var: 'list' }, { matches: [{ var: 'text' }, { var: 'pattern' }] }] }
  const context = { list: Array.from({ length: 20 }, (_, index) => ({ text: `${'ab'.repeat(50)}${index}`, pattern: `(?:a|b)+${index % 3}x` })) }
  const first = workOf(rule, context)
  expect(first).toBeGreaterThan(1_000)
  expect([workOf(rule, context), workOf(rule, context)]).toEqual([first, first])
})

describe('a shared work budget', () => {
  it('counts every evaluation, also one that fails', () => {
    const budget = new WorkBudget(1_000)
    compileCondition({ '==': [{ var: 'a' }, 1] }).test({ a: 1 }, budget)
    const once = budget.spent
    expect(once).toBeGreaterThan(0)
    expect(() => compileCondition({ '==': [{ var: 'a' }, 'x'] }).test({ a: 1 }, budget)).toThrow()
    expect(budget.spent).toBeGreaterThan(once)
  })

  it('ends the evaluation that exceeds it with `run_evaluation_exceeded`', () => {
    const budget = new WorkBudget(1_000)
    const condition = compileCondition({ some: [{ var: 'list' }, { '>': [{ var: '' }, 100] }] })
    const context = { list: items(30) }
    const decide = (): void => {
      for (let count = 0; count < 100; count += 1) condition.test(context, budget)
    }
    expect(decide).toThrow(
      expect.objectContaining({ code: 'run_evaluation_exceeded', message: expect.stringContaining('may take 1,000 units of work') }),
    )
    expect(budget.left).toBe(0)
  })
})

describe('a condition that is too large is refused before it runs', () => {
  it('with too many values', () => {
    expect(() => compileCondition({ in: ['x', items(30_000)] })).toThrow(/more than 20000 values/)
  })

  it('with too many levels', () => {
    let rule: Json = true
    for (let level = 0; level < 200; level += 1) rule = { '!': [rule] }
    expect(() => compileCondition(rule)).toThrow(/more than 100 levels/)
  })
})
