/** A log line for operators about the files of a store. Its message may name paths. */
export interface Notice {
  readonly level: 'info' | 'warn' | 'error'
  readonly message: string
}
