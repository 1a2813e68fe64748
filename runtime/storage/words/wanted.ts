import type { OrganizationId, Scope } from '../../domain/index.ts'
import type { AlertConditions, AlertPosition } from '../port/index.ts'
import { beginningWith, exactly, propertyTerm, type TermRange, type Wanted } from './segment.ts'

/** A condition with more values than this is left to the store's own conditions. */
const mostValues = 64

/** Looking up more alerts than this one by one takes longer than following the order of time to the end of a page. */
export const mostLookedUp = 5_000

type Property = Parameters<typeof propertyTerm>[0]

/** Returns whether the index of words finds what some of the conditions ask for. */
export function isSearch({ words = [], contains, providers, types }: AlertConditions): boolean {
  return words.length > 0 || (contains?.words.length ?? 0) > 0 || providers !== undefined || types !== undefined
}

/** Returns what the segments must find for these conditions. The store must check the others, the limits of time and `after`. */
export function wantedOf(scope: Scope, conditions: AlertConditions, after: AlertPosition | null, direction: 1 | -1): Wanted {
  const { words = [], contains, organizations, providers, types, createdFrom = 0, createdTo = Number.MAX_SAFE_INTEGER } = conditions
  const reach: readonly OrganizationId[] | undefined = scope.organizations === 'all' ? undefined : scope.organizations
  const oneOf = (property: Property, values: readonly string[] | undefined): readonly (readonly TermRange[])[] =>
    values && values.length <= mostValues ? [values.map((value) => exactly(propertyTerm(property, value)))] : []
  return {
    terms: [
      ...words.map((word) => [beginningWith(word)]),
      ...(contains?.words ?? []).map((word) => [exactly(word)]),
      ...oneOf('organization', reach),
      ...oneOf('organization', organizations),
      ...oneOf('provider', providers),
      ...oneOf('type', types),
    ],
    from: after && direction === 1 ? Math.max(createdFrom, after.createdAt) : createdFrom,
    to: after && direction === -1 ? Math.min(createdTo, after.createdAt) : createdTo,
  }
}
