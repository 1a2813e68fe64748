import { type Activation, normaliseType, type OrganizationId } from '../../domain/index.ts'
import type { Plan } from '../plan.ts'

/**
 * The place where a playbook is active: an alert type or a sub-playbook name, of one organization
 * or shared (null).
 */
export type PlaybookPlace = Pick<Activation, 'organization' | 'key'> & { readonly kind: PlaybookKind }

export type PlaybookKind = 'playbook' | 'sub_playbook'

export function kindOf({ types }: Pick<Plan, 'types'>): PlaybookKind {
  return types.length > 0 ? 'playbook' : 'sub_playbook'
}

/** Returns the places of a playbook: one for each of its alert types. A sub-playbook has one, its name. */
export function placesOf(plan: Pick<Plan, 'types' | 'name'>, organization: OrganizationId | null): readonly PlaybookPlace[] {
  const kind = kindOf(plan)
  const keys = kind === 'playbook' ? plan.types : [plan.name]
  return keys.map((key) => ({ kind, organization, key }))
}

/** Returns the place that a person names. An alert type may be in any spelling. */
export function placeNamed(kind: PlaybookKind, key: string, organization: OrganizationId | null): PlaybookPlace {
  return { kind, organization, key: kind === 'playbook' ? normaliseType(key) : key }
}

/** Returns the place as words for a message. */
export function describePlace({ kind, key }: PlaybookPlace): string {
  return kind === 'playbook' ? `the alert type ${key}` : `the sub-playbook ${key}`
}
