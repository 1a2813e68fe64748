import { filters as liquidFilters } from 'liquidjs'
import { expect, it } from 'vitest'
import { checkRule } from '../condition/rule.ts'
import { allFilters } from '../filters/index.ts'
import { withheldFilters } from '../filters/withheld.ts'
import { operatorGroups, operatorNames } from '../operators/index.ts'
import { renderExpressionReference } from './page.ts'

it('has no two operators with the same name', () => {
  expect(operatorNames).toEqual(Object.values(operatorGroups).flatMap((group) => group.map(({ name }) => name)))
})

it('has every filter of liquidjs, or withholds it', () => {
  const known = new Set([...allFilters.map(({ name }) => name), ...withheldFilters])
  expect(Object.keys(liquidFilters).filter((name) => !known.has(name))).toEqual([])
})

it('has no two filters with the same name', () => {
  expect(new Set(allFilters.map(({ name }) => name)).size).toBe(allFilters.length)
})

it.each(Object.values(operatorGroups).flat())('$name has an example of itself that is a good rule', ({ name, example, text }) => {
  expect(JSON.stringify(example)).toContain(`"${name}"`)
  expect(checkRule(example).faults).toEqual([])
  expect(text).not.toMatch(/\.$|^[A-Z]/)
})

it.each(allFilters)('$name has an example of itself', ({ name, example, text }) => {
  expect(example).toMatch(new RegExp(`\\| ${name}\\b`))
  expect(text).not.toMatch(/\.$|^[A-Z](?![A-Z])/)
})

it('shows the result of each example', () => {
  const page = renderExpressionReference()
  expect(page).toContain('| `cidr_contains` * |')
  expect(page).toContain('| `{{ 7 \\| divided_by: 2 }}` | `3.5` |')
  expect(page).not.toContain('`undefined`')
})
