/** Shows what the steps of a run saw, by walking the run again over its journal. It calls no external system and writes nothing. */
export type { Attempt } from './facts.ts'
export { createRetraces, type Retraces, type StepPart } from './retraces.ts'
export type { Shown } from './shown.ts'
export { type RetracedStep, type ShownPart, type StepKind, type StepPage, type StepQuery, type StepState, stepStates, type Why } from './types.ts'
