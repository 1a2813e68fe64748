export * from './flow.ts'
export * from './rules.ts'
export { type Became, type Cause, holds, isDone, isMissing, isTracked, type Presence, presenceOf, type State } from './state.ts'
