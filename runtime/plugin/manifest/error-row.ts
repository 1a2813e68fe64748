import type { Condition } from '../../expressions/index.ts'

/** A row of the manifest's `errors`: the first whose condition holds over `{status, headers, body, code, message, method, path}` names the failure. */
export interface ErrorRow {
  readonly when: Condition
  readonly code: string
  readonly cause: string
  readonly remedy: string
  readonly effect: 'none' | 'unknown'
  /** `role`: the credentials may not do this. */
  readonly lacks?: 'role' | undefined
}
