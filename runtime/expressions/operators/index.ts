/**
 * The operators of conditions. Each file defines one: its name, text and example, what it computes,
 * what that costs, and its types. `definition.ts` says what a definition has.
 */

import { equalities } from './comparison/equality.ts'
import { orders } from './comparison/order.ts'
import type { Operator } from './definition.ts'
import { all } from './lists/all.ts'
import { filter } from './lists/filter.ts'
import { keys } from './lists/keys.ts'
import { length } from './lists/length.ts'
import { map } from './lists/map.ts'
import { merge } from './lists/merge.ts'
import { none } from './lists/none.ts'
import { reduce } from './lists/reduce.ts'
import { some } from './lists/some.ts'
import { unique } from './lists/unique.ts'
import { and } from './logic/and.ts'
import { choice, ternary } from './logic/if.ts'
import { or } from './logic/or.ts'
import { isTrue, not } from './logic/truth.ts'
import { cidrContains } from './network/cidr-contains.ts'
import { domainOf } from './network/domain-of.ts'
import { isPrivateIp } from './network/is-private-ip.ts'
import { add } from './numbers/add.ts'
import { divide } from './numbers/divide.ts'
import { max } from './numbers/max.ts'
import { min } from './numbers/min.ts'
import { multiply } from './numbers/multiply.ts'
import { remainder } from './numbers/remainder.ts'
import { subtract } from './numbers/subtract.ts'
import { missing } from './reading/missing.ts'
import { missingSome } from './reading/missing-some.ts'
import { variable } from './reading/var.ts'
import { cat } from './text/cat.ts'
import { endsWith } from './text/ends-with.ts'
import { isIn } from './text/in.ts'
import { lower } from './text/lower.ts'
import { matches } from './text/matches.ts'
import { startsWith } from './text/starts-with.ts'
import { substr } from './text/substr.ts'
import { trim } from './text/trim.ts'
import { upper } from './text/upper.ts'
import { age } from './time/age.ts'
import { after, before } from './time/before-after.ts'

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

/** The operator with this name. Undefined if there is none. */
export function operatorNamed(name: string): Operator | undefined {
  return byName.get(name)
}

export const operatorNames: readonly string[] = [...byName.keys()]

/** Operators whose second argument is evaluated for each item of a list. */
export function isLoop(name: string): boolean {
  const operator = byName.get(name)
  return operator !== undefined && 'loops' in operator && operator.loops
}
