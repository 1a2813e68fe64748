import type { PrincipalId } from '../ids.ts'

/** How many makers of a key Tocsin follows. */
export const mostMakers = 100

/**
 * The makers of principals: whose key made a principal, whose key made that one, and so on. The nearest is first. A list
 * with more than `mostMakers` does not have all.
 */
export type Makers = ReadonlyMap<PrincipalId, readonly PrincipalId[]>

/** Returns whether Tocsin cannot follow the makers of a principal to the first one. */
export function isChainTooLong(makers: Makers, of: PrincipalId): boolean {
  return (makers.get(of)?.length ?? 0) > mostMakers
}

/**
 * Returns whether two principals count as one person: they are the same, or one of them made the other, directly or
 * through others. Two that a third one made are different people: an administrator makes the keys of everybody.
 */
export function countAsOne(makers: Makers, one: PrincipalId, other: PrincipalId): boolean {
  return one === other || makers.get(one)?.includes(other) === true || makers.get(other)?.includes(one) === true
}
