/** An error that a person can meet. `status` is the HTTP status if the API answers with it. */
export interface ErrorEntry {
  readonly status: number
  /** The same text for every occurrence. */
  readonly title: string
  readonly cause: string
  readonly remedy: string
}
