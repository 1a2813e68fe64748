/** Follows every way that a run can take, and what is known at each step: what ran, what is there. */
export * from './flow.ts'
export * from './rules.ts'
export { type Became, factsReading, holds, isDone, isMissing, isTracked, type Presence, presenceOf, type State } from './state.ts'
