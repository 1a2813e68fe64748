import { describe, expect, test } from 'vitest'
import type { Json } from '../../domain/index.ts'
import { compileCondition } from '../condition/condition.ts'
import { WorkBudget } from '../work.ts'
import { explainCondition, ruleText } from './index.ts'

const context = {
  inputs: { denied: 3, approved: 1, user: 'ada' },
  steps: { user: { output: { status: 'ACTIVE' } } },
  vars: { boxes: [{ vip: false }, { vip: true }, { vip: false }], none: [] },
} as const

/** Each part as a line: depth, result, rule, and the values that it read. */
function lines(rule: Json, work = new WorkBudget(1_000_000)): readonly string[] {
  return explainCondition(rule, context, work).map(({ depth, rule: text, looked, holds, item, items, read, error }) => {
    const of = item ? ` [item ${item.number} of ${item.of}]` : items === null ? '' : ` [${items} items]`
    const values = read.map(({ path, value }) => ` ${path}=${value === undefined ? 'missing' : JSON.stringify(value)}`).join('')
    return `${'  '.repeat(depth)}${looked ? (holds ?? `(${error})`) : '-'} ${text}${of}${values}`
  })
}

test('a comparison shows the values that it compared', () => {
  expect(lines({ '>=': [{ var: 'inputs.denied' }, 5] })).toEqual(['false inputs.denied >= 5 inputs.denied=3'])
})

test('each part shows its result, and parts after the deciding one were not evaluated', () => {
  expect(lines({ and: [{ '>=': [{ var: 'inputs.denied' }, 5] }, { '>=': [{ var: 'inputs.approved' }, 1] }] })).toEqual([
    'false inputs.denied >= 5 and inputs.approved >= 1',
    '  false inputs.denied >= 5 inputs.denied=3',
    '  - inputs.approved >= 1',
  ])
  expect(lines({ or: [{ '!': [{ var: 'inputs.user' }] }, { '==': [{ var: 'steps.user.output.status' }, 'ACTIVE'] }] })).toEqual([
    'true not inputs.user or steps.user.output.status == "ACTIVE"',
    '  false not inputs.user',
    '    true inputs.user inputs.user="ada"',
    '  true steps.user.output.status == "ACTIVE" steps.user.output.status="ACTIVE"',
  ])
})

test('a loop shows the item that decided, or how many items there were', () => {
  const vip = { '==': [{ var: ['vip', false] }, true] }
  expect(lines({ some: [{ var: 'vars.boxes' }, vip] })).toEqual([
    'true some(vars.boxes: vip (or false) == true)',
    `  true vars.boxes [3 items] vars.boxes=${JSON.stringify(context.vars.boxes)}`,
    '  true vip (or false) == true [item 2 of 3] vip=true',
  ])
  expect(lines({ all: [{ var: 'vars.boxes' }, vip] })[2]).toBe('  false vip (or false) == true [item 1 of 3] vip=false')
  expect(lines({ none: [{ var: 'vars.none' }, vip] })).toEqual([
    'true none(vars.none: vip (or false) == true)',
    '  false vars.none [0 items] vars.none=[]',
  ])
})

test('a missing value is shown as missing, and an error shows its reason', () => {
  expect(lines({ '==': [{ var: ['steps.other.output', null] }, null] })).toEqual([
    'true steps.other.output (or null) == null steps.other.output=missing',
  ])
  expect(lines({ '>': [{ var: 'inputs.user' }, 5] })).toEqual([
    '(could not be evaluated: `>` needs two numbers or two texts, not a text and a number) inputs.user > 5 inputs.user="ada"',
  ])
})

describe('the explanation has the same result as the condition', () => {
  test.each<Json>([
    true,
    { '==': [1, 1] },
    { if: [{ var: 'inputs.user' }, { '<': [1, { var: 'inputs.denied' }, 9] }, false] },
    { in: ['ad', { var: 'inputs.user' }] },
    { '!!': [{ filter: [{ var: 'vars.boxes' }, { var: 'vip' }] }] },
    { '>': [{ reduce: [{ var: 'vars.boxes' }, { '+': [{ var: 'accumulator' }, 1] }, 0] }, 2] },
    { and: [true, { or: [false, { none: [[1, 2], { '>': [{ var: '' }, 2] }] }] }] },
  ])('%j', (rule) => {
    expect(explainCondition(rule, context, new WorkBudget(1_000_000))[0]?.holds).toBe(compileCondition(rule).test(context))
  })
})

test('a condition that takes too much work is left unexplained, and the explanation ends soon', () => {
  const many = Array.from({ length: 100 }, (_, index) => index)
  const nested = (depth: number): Json => (depth === 0 ? { '<': [{ var: '' }, 0] } : { some: [many, nested(depth - 1)] })
  const parts = explainCondition(nested(5), {}, new WorkBudget(100_000))
  expect(parts[0]).toMatchObject({ holds: null, error: 'is not shown: that takes too much work' })
  expect(parts.length).toBeLessThan(100)
})

test('the text and the parts of a large rule are bounded', () => {
  const wide = { and: Array.from({ length: 5_000 }, (_, index) => ({ '==': [index, index] })) }
  expect(lines(wide).length).toBeLessThanOrEqual(60)
  expect(ruleText(wide, 100)).toHaveLength(100)
  const deep = Array.from({ length: 300 }).reduce<Json>((rule) => ({ '!': [rule] }), true)
  expect(lines(deep).length).toBeLessThanOrEqual(61)
  expect(ruleText({ '+': [{ '*': [1, { '+': [2, 3] }] }, 4] }, 100)).toBe('1 * (2 + 3) + 4')
})
