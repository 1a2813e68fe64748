import type { OrganizationId, PrincipalId } from '../ids.ts'
import type { Millis } from '../seams.ts'

/**
 * Letters, digits, `_`, `-` and `.`. Starts with a letter or digit. At most 64 characters. Part of alert and
 * case ids, so it never changes.
 */
export const codePattern = '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$'

export interface Organization {
  readonly id: OrganizationId
  /** Never changes. Unique, ignoring case. */
  readonly code: string
  readonly name: string
  readonly createdAt: Millis
  readonly createdBy: PrincipalId
}

/** A kind of alert source, known to the whole platform (specification 2.1, `alert_provider`). */
export interface Provider {
  /** Never changes. Unique, ignoring case. */
  readonly code: string
  readonly name: string
  readonly createdAt: Millis
  readonly createdBy: PrincipalId
}

/** Folds the case of a code. The result is the unique key of organizations and providers. */
export function foldCode(code: string): string {
  return code.toLowerCase()
}
