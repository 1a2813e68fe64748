import { type Activation, normaliseType, type OrganizationId } from '../../domain/index.ts'
import type { Plan } from '../plan.ts'

/** Where one playbook is active: for an alert type, or as the sub-playbook of a name; of one organization, or shared (null). */
export type PlaybookPlace = Pick<Activation, 'organization' | 'key'> & { readonly kind: PlaybookKind }

export type PlaybookKind = 'playbook' | 'sub_playbook'

export function kindOf({ types }: Pick<Plan, 'types'>): PlaybookKind {
  return types.length > 0 ? 'playbook' : 'sub_playbook'
}

/** Where a playbook becomes active: for each of its alert types; a sub-playbook under its name. */
export function placesOf(plan: Pick<Plan, 'types' | 'name'>, organization: OrganizationId | null): readonly PlaybookPlace[] {
  const kind = kindOf(plan)
  const keys = kind === 'playbook' ? plan.types : [plan.name]
  return keys.map((key) => ({ kind, organization, key }))
}

/** The place that a person names: an alert type in any spelling, or a sub-playbook's name. */
export function placeNamed(kind: PlaybookKind, key: string, organization: OrganizationId | null): PlaybookPlace {
  return { kind, organization, key: kind === 'playbook' ? normaliseType(key) : key }
}

/** As people are told of it. */
export function describePlace({ kind, key }: PlaybookPlace): string {
  return kind === 'playbook' ? `the alert type ${key}` : `the sub-playbook ${key}`
}
