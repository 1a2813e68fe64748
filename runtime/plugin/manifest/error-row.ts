import type { Condition } from '../../expressions/index.ts'

/**
 * A row of the manifest's `errors`. The first row whose condition is true for `{status, headers,
 * body, code, message, method, path}` names the failure.
 */
export interface ErrorRow {
  readonly when: Condition
  readonly code: string
  readonly cause: string
  readonly remedy: string
  readonly effect: 'none' | 'unknown'
  /** `role`: the credentials lack the permission for this call. */
  readonly lacks?: 'role' | undefined
}
