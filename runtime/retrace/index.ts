/**
 * Shows what the steps of a run saw, by replaying the run over its journal. It calls no external system and
 * writes nothing.
 */

export { createRetraces, type Retraces } from './retraces.ts'
export type { Shown } from './shown.ts'
export { stepStates } from './step-state.ts'
export type { RetracedStep, ShownPart, StepPage, StepQuery, Why } from './types.ts'
