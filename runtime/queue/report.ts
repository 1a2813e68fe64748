/** Receives errors that no caller can receive, such as a handler that rejected or a lost connection. */
export type Report = (error: unknown) => void

/** For callers without a log. Emits a process warning, which Node writes to standard error. */
export const warn: Report = (error) => process.emitWarning(error instanceof Error ? error : String(error))
