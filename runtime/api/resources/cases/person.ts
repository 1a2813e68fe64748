import type { Principal } from '../../../domain/index.ts'

/** Returns whom an assignee names. `me` is the principal of the key, and `nobody` is null: a case cannot be assigned to a person of that name. */
export function personNamed(assignee: string, { name }: Pick<Principal, 'name'>): string | null {
  if (assignee === 'me') return name
  return assignee === 'nobody' ? null : assignee
}
