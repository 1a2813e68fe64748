import type { ObservableKind } from './kinds.ts'

/** Where a value stands in an alert: a path into JSON content, or an RE2 pattern over text. */
export type Place = string | { readonly pattern: string }

/** One place where an observable stands in an alert. */
export interface Sighting {
  readonly kind: ObservableKind
  /** The name that the alert gives it, in snake case. */
  readonly key: string
  readonly value: string
  readonly from: Place
  readonly member: readonly string[] | null
}
