/** The log: JSON lines without secrets, with bounded fields. */
export * from './bounded.ts'
export * from './failing.ts'
export * from './logger.ts'
export * from './store-failures.ts'
