import type { ObservableKind } from './kinds.ts'

/** Where a value is in an alert: a path into JSON content, or an RE2 pattern for text. */
export type Place = string | { readonly pattern: string }

/** One occurrence of an observable in an alert. */
export interface Sighting {
  readonly kind: ObservableKind
  /** The key in the alert, in snake case. */
  readonly key: string
  readonly value: string
  readonly from: Place
  readonly member: readonly string[] | null
}
