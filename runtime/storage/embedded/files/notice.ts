/** A line of the log about the files of a store, for operators. Messages name paths. */
export interface Notice {
  readonly level: 'info' | 'warn' | 'error'
  readonly message: string
}
