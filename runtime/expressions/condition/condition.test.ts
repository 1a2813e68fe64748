import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Json } from '../../domain/index.ts'
import { type Context, compileCondition, ExpressionError } from '../index.ts'

const test = (rule: Json, context: Context = {}): boolean => compileCondition(rule).test(context)
const refused = expect.objectContaining({ code: 'condition_failed' })
const unreadable = expect.objectContaining({ code: 'expression_invalid' })

describe('var', () => {
  const context = { a: { b: [{ c: 1 }], n: null, e: '' } }

  it('reads own properties and list indexes', () => {
    expect(test({ '==': [{ var: 'a.b.0.c' }, 1] }, context)).toBe(true)
    expect(test({ '==': [{ var: 'a.n' }, null] }, context)).toBe(true)
  })

  it.each(['a.x', 'a.b.1.c', 'a.b.length', 'a.b.-1', 'a.b.00', 'a.n.x', 'a.e.length', 'z', 'constructor', 'a.__proto__'])(
    'fails when %s is missing, and names it',
    (path) => {
      expect(() => test({ '!!': [{ var: path }] }, context)).toThrow(
        expect.objectContaining({ code: 'condition_failed', message: expect.stringContaining(`${path} is not there`) }),
      )
      expect(test({ '==': [{ var: [path, 'none'] }, 'none'] }, context)).toBe(true)
    },
  )

  it('takes null as a default', () => {
    expect(test({ '!!': [{ var: ['z', null] }] })).toBe(false)
  })

  it('reads from the item inside a loop, and the error says so if the path is missing', () => {
    const rule = { some: [{ var: 'list' }, { '>': [{ var: 'n' }, 2] }] }
    expect(test(rule, { list: [{ n: 1 }, { n: 3 }] })).toBe(true)
    expect(test({ some: [{ var: 'list' }, { '>': [{ var: '' }, 2] }] }, { list: [1, 3] })).toBe(true)
    expect(() => test(rule, { list: [{}], n: 3 })).toThrow(/inside a loop/)
  })
})

describe('comparing', () => {
  it.each<[Json, Json]>([
    [1, '1'],
    ['', 0],
    [true, 1],
    [[], ''],
    [{}, []],
  ])('values of different types fails (%j, %j)', (a, b) => {
    for (const operator of ['==', '===', '!=', '!==', '<', '>=']) {
      expect(() => test({ [operator]: [{ var: 'a' }, { var: 'b' }] }, { a, b }), operator).toThrow(refused)
    }
  })

  it('with null tests whether a value is null', () => {
    expect(test({ '==': [{ var: 'a' }, null] }, { a: 1 })).toBe(false)
    expect(test({ '!=': [{ var: 'a' }, null] }, { a: 'x' })).toBe(true)
    expect(() => test({ '<': [{ var: 'a' }, null] }, { a: 1 })).toThrow(refused)
  })

  it('lists and objects compares their contents', () => {
    expect(test({ '==': [{ var: 'a' }, { var: 'b' }] }, { a: { x: [1], y: 2 }, b: { y: 2, x: [1] } })).toBe(true)
    expect(test({ '==': [{ var: 'a' }, ['x', 'y']] }, { a: ['y', 'x'] })).toBe(false)
  })

  it('orders numbers and texts, two or three of them', () => {
    expect(test({ '<': [1, { var: 'a' }, 3] }, { a: 2 })).toBe(true)
    expect(test({ '<=': [1, { var: 'a' }, 3] }, { a: 4 })).toBe(false)
    expect(test({ '>': [{ var: 'a' }, 'a'] }, { a: 'b' })).toBe(true)
  })
})

it('fails for a value that json-logic would take for an empty list', () => {
  for (const loop of ['some', 'all', 'none', 'filter', 'map'])
    expect(() => test({ [loop]: [{ var: 'a' }, true] }, { a: { x: 1 } }), loop).toThrow(/needs a list/)
  expect(() => test({ reduce: [{ var: 'a' }, { var: 'current' }, 0] }, { a: 'x' })).toThrow(/needs a list/)
})

it('keeps the branches and loops of json-logic', () => {
  expect(test({ if: [false, false, { var: ['x', null] }, false, true] })).toBe(true)
  expect(test({ and: [true, { or: [false, 1] }] })).toBe(true)
  // The second argument is not evaluated, so its missing path does not matter.
  expect(test({ and: [false, { var: 'x' }] })).toBe(false)
  expect(test({ '==': [{ reduce: [{ var: 'a' }, { '+': [{ var: 'current' }, { var: 'accumulator' }] }, 0] }, 6] }, { a: [1, 2, 3] })).toBe(true)
  expect(
    test({ '==': [{ map: [{ filter: [{ var: 'a' }, { '>': [{ var: 'n' }, 1] }] }, { var: 'n' }] }, [2, 3]] }, { a: [{ n: 1 }, { n: 2 }, { n: 3 }] }),
  ).toBe(true)
  expect(test({ '==': [{ missing: ['a', 'b.c', 'd'] }, ['b.c', 'd']] }, { a: 1, d: '' })).toBe(true)
  expect(test({ '!': [{ missing_some: [1, ['a', 'b']] }] }, { a: 1 })).toBe(true)
})

describe('an invalid rule', () => {
  it.each<[string, Json, RegExp]>([
    ['an unknown operator', { start_with: [{ var: 'a' }, 'x'] }, /did you mean `starts_with`/],
    ['log', { log: 'x' }, /no operator `log`/],
    ['method', { method: [{ var: 'a' }, 'at', [0]] }, /no operator `method`/],
    ['an inherited name', { constructor: [] }, /no operator/],
    ['a dotted operator', { 'Math.max': [1] }, /no operator/],
    ['two operators at once', { '==': [1, 1], '!=': [1, 2] }, /join several with `and`/],
    ['an empty object', { and: [{}, true] }, /one operator is expected/],
    ['a template inside', { '==': ['{{ inputs.user }}', 'ada'] }, /no templates inside/],
    ['a template as a default', { '!!': [{ var: ['a', '{{ b }}'] }] }, /no templates inside/],
    ['too few arguments', { '==': [{ var: 'a' }] }, /takes 2 arguments, not 1/],
    ['too many arguments', { '!': [1, 2] }, /takes 1 argument, not 2/],
    ['a computed path', { '!!': [{ var: [{ cat: ['a', 'b'] }] }] }, /a constant path/],
    ['a path with a gap', { '!!': [{ var: 'a..b' }] }, /is not a path/],
    ['no path outside a loop', { '!!': [{ var: '' }] }, /is not a path/],
    ['a pattern that RE2 does not know', { matches: [{ var: 'a' }, '(?=x)'] }, /pattern cannot be used/],
    ['a text', 'inputs.user', /true, false or one operator/],
    ['a list', [true], /true, false or one operator/],
    ['nothing', null, /true, false or one operator/],
  ])('is refused: %s', (_what, rule, message) => {
    expect(() => compileCondition(rule)).toThrow(unreadable)
    expect(() => compileCondition(rule)).toThrow(message)
  })

  it('is refused with all its faults and their places', () => {
    try {
      compileCondition({ and: [{ eq: [1, 1] }, { '==': ['{{ a }}', { var: '' }] }] })
      expect.unreachable()
    } catch (error) {
      expect((error as ExpressionError).faults.map(({ path }) => path.join('.'))).toEqual(['and.0.eq', 'and.1.==.0', 'and.1.==.1.var'])
    }
  })
})

it('lists the paths that it reads, but not those of items', () => {
  const { reads } = compileCondition({
    and: [{ some: [{ var: 'a.list' }, { '==': [{ var: 'n' }, 1] }] }, { missing: ['b.c'] }, { '>': [{ age: { var: ['d', 0] } }, 5] }],
  })
  expect(reads.map((path) => path.join('.'))).toEqual(['a.list', 'b.c', 'run.now', 'd'])
})

it('writes nothing to the console', () => {
  const log = vi.spyOn(console, 'log')
  onTestFinished(() => log.mockRestore())
  expect(() => compileCondition({ log: 'x' })).toThrow(ExpressionError)
  expect(log).not.toHaveBeenCalled()
})

it('shows the rule in the error, cut if it is long', () => {
  expect(() => test({ '==': [{ var: 'a' }, 'x'.repeat(500)] }, { a: 1 })).toThrow(
    /^`{"==":\[{"var":"a"},"x{100,150}…`: `==` compares a number with a text\.$/,
  )
})
