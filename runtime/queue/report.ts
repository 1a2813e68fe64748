/** Receives faults that no caller is there to see: a handler that rejected, a lost connection. */
export type Report = (error: unknown) => void

/** For callers without a log: a warning of the process, which Node writes to standard error. */
export const warn: Report = (error) => process.emitWarning(error instanceof Error ? error : String(error))
