import { describe, expect, test } from 'vitest'
import type { Json } from '../../domain/index.ts'
import { compileCondition } from '../condition/index.ts'
import { compileText, noFilters } from '../template/index.ts'
import { outlineOf } from './index.ts'

/** Returns the condition of the first branch of a template, with a known result for what only Liquid can say. */
function conditionOf(template: string, opaque: boolean, booleans: boolean): Json {
  const [choice] = (outlineOf(template, noFilters) ?? []).filter((part) => part.kind === 'choice')
  const replaced = (rule: Json): Json => {
    if (typeof rule !== 'object' || rule === null) return rule
    if (Array.isArray(rule)) return (rule as readonly Json[]).map(replaced)
    const entries = Object.entries(rule as Readonly<Record<string, Json>>)
    return entries[0]?.[0] === 'liquid' ? opaque : Object.fromEntries(entries.map(([name, value]) => [name, replaced(value)]))
  }
  return replaced(choice?.branches[0]?.test(() => booleans) ?? null)
}

/** Returns what a condition gives. Null if it fails. */
function resultOf(rule: Json, values: Readonly<Record<string, Json>>): boolean | null {
  try {
    return compileCondition(rule).test(values)
  } catch {
    return null
  }
}

const values: readonly (Json | undefined)[] = [
  ...[undefined, null, true, false, 0, 1, -2, '', ' ', 'a', 'ab', '5', '12345678901234567890', []],
  ...[['a'], [null], {}, { b: 'a' }, { b: null }, { b: false }, { b: { c: 1 } }, { size: 4 }],
]
const constants = ['nil', 'true', 'false', '0', '1', '-1', '5', "'a'", "''", "'5'", 'empty', 'blank', '12345678901234567890']
const operators = ['==', '!=', '<', '>', '<=', '>=', 'contains']
const places = ['vars.x', 'vars.x.b', 'vars.x.size', 'vars.x.first', 'vars.x[0]', 'vars.x["b"]', 'vars.x.length', 'vars.y.b.c']
const comparisons = places.flatMap((place) =>
  operators.flatMap((operator) => constants.flatMap((constant) => [`${place} ${operator} ${constant}`, `${constant} ${operator} ${place}`])),
)
const joined = [
  'vars.x and vars.x.b',
  "vars.x == 'a' or vars.x == 1",
  'not vars.x',
  'not vars.x or vars.x and true',
  "vars.x != nil and vars.x != 'a' and vars.x",
  'vars.x == vars.x.b',
]
const tests = [...places, ...constants, ...comparisons, ...joined]

describe('a test of a template, as a condition', () => {
  test.each([
    ['if', (one: string) => `{% if ${one} %}yes{% endif %}`],
    ['unless', (one: string) => `{% unless ${one} %}yes{% endunless %}`],
  ])('says the same as Liquid if it says anything (%s)', (_name, written) => {
    const wrong: string[] = []
    for (const one of tests) {
      const template = written(one)
      const text = compileText(template)
      const [holding, failing] = [conditionOf(template, true, false), conditionOf(template, false, false)]
      for (const x of values) {
        const context = { vars: x === undefined ? {} : { x } }
        const known = resultOf(holding, context)
        if (known === null || known !== resultOf(failing, context)) continue
        if (known !== (text.render(context) === 'yes')) wrong.push(`${one} of ${JSON.stringify(x)}`)
      }
    }
    expect(wrong).toEqual([])
  })

  test('says the same as Liquid of a value that is a boolean, null or missing', () => {
    for (const one of ['vars.x', 'not vars.x', 'vars.x == true', 'vars.x == false', 'vars.x != true']) {
      const template = `{% if ${one} %}yes{% endif %}`
      for (const x of [undefined, null, true, false]) {
        const context = { vars: x === undefined ? {} : { x } }
        expect([one, x, resultOf(conditionOf(template, true, true), context)]).toEqual([one, x, compileText(template).render(context) === 'yes'])
      }
    }
  })

  test('of a `case` says the same as Liquid', () => {
    for (const constant of constants) {
      const template = `{% case vars.x %}{% when ${constant}, 'b' %}yes{% endcase %}`
      for (const x of values) {
        const context = { vars: x === undefined ? {} : { x } }
        const known = resultOf(conditionOf(template, true, false), context)
        if (known === null || known !== resultOf(conditionOf(template, false, false), context)) continue
        expect([constant, x, known]).toEqual([constant, x, compileText(template).render(context) === 'yes'])
      }
    }
  })

  test.each([
    ["steps.a.status == 'done'", { '==': [{ var: ['steps.a.status', null] }, 'done'] }],
    ["'done' == steps.a.status", { '==': [{ var: ['steps.a.status', null] }, 'done'] }],
    ["steps.a.status != 'done'", { '!': [{ '==': [{ var: ['steps.a.status', null] }, 'done'] }] }],
    ['steps.a.output', { '!': [{ in: [{ var: ['steps.a.output', null] }, [null, false]] }] }],
    ['vars.n > 3', { and: [{ '!=': [{ var: ['vars.n', null] }, null] }, { '>': [{ var: ['vars.n', null] }, 3] }] }],
    ['vars.n > -1', { or: [{ '==': [{ var: ['vars.n', null] }, null] }, { and: [{ '>': [{ var: ['vars.n', null] }, -1] }] }] }],
  ])('is written as people write it: %s', (one, rule) => {
    const [choice] = (outlineOf(`{% if ${one} %}a{% endif %}`, noFilters) ?? []).filter((part) => part.kind === 'choice')
    expect(choice?.branches[0]?.test(() => false)).toEqual(rule)
  })
})
