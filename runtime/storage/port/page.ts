/** Part of a listing in a stable order: `after` is the last item's position of the page before. */
export interface Page<T> {
  readonly items: readonly T[]
  /** Whether more may follow. */
  readonly more: boolean
}
