/** What an operator should know of the files of a store: a line of the log. Messages name paths. */
export interface Notice {
  readonly level: 'info' | 'warn' | 'error'
  readonly message: string
}
