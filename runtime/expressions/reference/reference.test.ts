import { expect, it } from 'vitest'
import { checkRule, operatorNames } from '../condition/rule.ts'
import { operators } from '../operators/index.ts'
import { createEngine } from '../template/engine.ts'
import { filterReference } from './filters.ts'
import { addedOperators, operatorReference } from './operators.ts'
import { renderExpressionReference } from './page.ts'

const entriesOf = <T>(groups: Readonly<Record<string, Readonly<Record<string, T>>>>): [string, T][] =>
  Object.values(groups).flatMap((group) => Object.entries(group))

it('has every operator, and no other', () => {
  expect(
    entriesOf(operatorReference)
      .map(([name]) => name)
      .sort(),
  ).toEqual([...operatorNames].sort())
  expect(addedOperators.filter((name) => name !== 'age' && !Object.hasOwn(operators, name))).toEqual([])
})

it('has every filter, and no other', () => {
  const offered = Object.keys(createEngine({}, null).filters)
  expect(
    entriesOf(filterReference)
      .map(([name]) => name)
      .sort(),
  ).toEqual(offered.sort())
})

it.each(entriesOf(operatorReference))('%s has an example of itself that is a good rule', (name, { example, does }) => {
  expect(JSON.stringify(example)).toContain(`"${name}"`)
  expect(checkRule(example).faults).toEqual([])
  expect(does).not.toMatch(/\.$|^[A-Z]/)
})

it.each(entriesOf(filterReference))('%s has an example of itself', (name, { example }) => {
  expect(example).toMatch(new RegExp(`\\| ${name}\\b`))
})

it('shows what each gives', () => {
  const page = renderExpressionReference()
  expect(page).toContain('| `cidr_contains` * |')
  expect(page).toContain('| `{{ 7 \\| divided_by: 2 }}` | `3.5` |')
  expect(page).not.toContain('`undefined`')
})
