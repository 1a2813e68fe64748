/**
 * An attempt to investigate an alert, or an undo: its states, what it has pinned, how it is cancelled, and
 * how processes died on it.
 */
export * from './cancellation.ts'
export * from './deaths.ts'
export * from './duration-scale.ts'
export * from './execution-end.ts'
export * from './failure.ts'
export * from './pins.ts'
export * from './run.ts'
export * from './session.ts'
