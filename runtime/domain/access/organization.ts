import type { OrganizationId, PrincipalId } from '../ids.ts'
import type { Millis } from '../seams.ts'

/** Letters, digits, `_`, `-` and `.`, beginning with a letter or digit; at most 64. Part of alert and case ids, so it never changes. */
export const codePattern = '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$'

export interface Organization {
  readonly id: OrganizationId
  /** Immutable; unique without regard to case. */
  readonly code: string
  readonly name: string
  readonly createdAt: Millis
  readonly createdBy: PrincipalId
}

/** An alert source's kind, known to the whole platform (specification 2.1, `alert_provider`). */
export interface Provider {
  /** Immutable; unique without regard to case. */
  readonly code: string
  readonly name: string
  readonly createdAt: Millis
  readonly createdBy: PrincipalId
}

/** What two codes that differ only in case have in common; the unique key of both aggregates. */
export function foldCode(code: string): string {
  return code.toLowerCase()
}
