/**
 * Shows what the steps of a run saw, by replaying the run over its journal. It calls no external system and
 * writes nothing.
 */

export type { LitGraph } from './lit-graph.ts'
export { createRetraces, type Retraces, type RunWrites } from './retraces.ts'
export { type Shown, shownOf } from './shown.ts'
export { stepStates } from './step-state.ts'
export type { RetracedStep, ShownPart, StepPage, StepQuery, Why } from './types.ts'
export type { ExplainedWrite } from './writes.ts'
