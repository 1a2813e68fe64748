/** Follows every path that a run can take, and tracks what is known at each step: which steps ran, and which values exist. */
export { isBooleanAt } from './booleans.ts'
export * from './flow.ts'
export { isDone, isMissing, isTracked, type Presence, type Result } from './presence.ts'
export * from './rules.ts'
export { factsReading, holds, presenceOf, type State } from './state.ts'
