import { expect, it } from 'vitest'
import { checkRule } from '../condition/rule.ts'
import { operatorGroups, operatorNames } from '../operators/index.ts'
import { createEngine } from '../template/engine.ts'
import { filterReference } from './filters.ts'
import { renderExpressionReference } from './page.ts'

const entriesOf = <T>(groups: Readonly<Record<string, Readonly<Record<string, T>>>>): [string, T][] =>
  Object.values(groups).flatMap((group) => Object.entries(group))

it('has no two operators of one name', () => {
  expect(operatorNames).toEqual(Object.values(operatorGroups).flatMap((group) => group.map(({ name }) => name)))
})

it('has every filter, and no other', () => {
  const offered = Object.keys(createEngine({}, null).filters)
  expect(
    entriesOf(filterReference)
      .map(([name]) => name)
      .sort(),
  ).toEqual(offered.sort())
})

it.each(Object.values(operatorGroups).flat())('$name has an example of itself that is a good rule', ({ name, example, text }) => {
  expect(JSON.stringify(example)).toContain(`"${name}"`)
  expect(checkRule(example).faults).toEqual([])
  expect(text).not.toMatch(/\.$|^[A-Z]/)
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
