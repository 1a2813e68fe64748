/**
 * The operators of conditions. Each file defines one: its name, text and example, what it computes,
 * what that costs, and its types. `definition.ts` says what a definition has.
 */

import { equalities, orders } from './comparison/index.ts'
import type { Operator } from './definition.ts'
import { all, filter, keys, length, map, merge, none, reduce, some, unique } from './lists/index.ts'
import { and, choice, isTrue, not, or, ternary } from './logic/index.ts'
import { cidrContains, domainOf, isPrivateIp } from './network/index.ts'
import { add, divide, max, min, multiply, remainder, subtract } from './numbers/index.ts'
import { missing, missingSome, variable } from './reading/index.ts'
import { cat, endsWith, isIn, lower, matches, startsWith, substr, trim, upper } from './text/index.ts'
import { after, age, before } from './time/index.ts'

export { isSpecial, many, type Operator, type ValueOperator } from './definition.ts'
export { operatorContext } from './example-context.ts'
export { ofPart, type Part, refusal } from './part.ts'

/** Every operator, by the groups of the reference page and in its order. */
export const operatorGroups: Readonly<Record<string, readonly Operator[]>> = {
  Reading: [variable, missing, missingSome],
  Logic: [and, or, not, isTrue, choice, ternary],
  Comparison: [...equalities, ...orders],
  Numbers: [add, subtract, multiply, divide, remainder, min, max],
  Text: [matches, startsWith, endsWith, lower, upper, trim, cat, substr, isIn],
  Lists: [length, unique, keys, merge, some, all, none, filter, map, reduce],
  Addresses: [cidrContains, isPrivateIp, domainOf],
  Time: [before, after, age],
}

const byName: ReadonlyMap<string, Operator> = new Map(
  Object.values(operatorGroups)
    .flat()
    .map((operator) => [operator.name, operator]),
)

/** Returns the operator with this name. Undefined if there is none. */
export function operatorNamed(name: string): Operator | undefined {
  return byName.get(name)
}

export const operatorNames: readonly string[] = [...byName.keys()]

/** Operators whose second argument is evaluated for each item of a list. */
export function isLoop(name: string): boolean {
  const operator = byName.get(name)
  return operator !== undefined && 'loops' in operator && operator.loops
}
