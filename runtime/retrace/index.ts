/**
 * Shows what the steps of a run saw, by replaying the run over its journal. It calls no external system and
 * writes nothing.
 */
export type { Attempt } from './facts.ts'
export { createRetraces, type Retraces, type StepPart } from './retraces.ts'
export type { Shown } from './shown.ts'
export { type StepState, stepStates } from './step-state.ts'
export type { RetracedStep, ShownPart, StepKind, StepPage, StepQuery, Why } from './types.ts'
