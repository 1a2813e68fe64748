/** Follows every path that a run can take, and tracks what is known at each step: which steps ran, and which values exist. */
export * from './flow.ts'
export * from './rules.ts'
export { type Became, factsReading, holds, isDone, isMissing, isTracked, type Presence, presenceOf, type State } from './state.ts'
