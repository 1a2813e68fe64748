/** One failure that a person can meet. `status` is the HTTP status where the API answers with it. */
export interface ErrorEntry {
  readonly status: number
  /** The same for every occurrence. */
  readonly title: string
  readonly cause: string
  readonly remedy: string
}
