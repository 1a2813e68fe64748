/** One page of a list in a stable order. To read the next page, pass the position of the last item as `after`. */
export interface Page<T> {
  readonly items: readonly T[]
  /** Whether more items may follow. */
  readonly more: boolean
}
