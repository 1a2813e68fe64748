/** What the steps of a run saw: runs are walked again over their journals, and looked at. Nothing is called, and nothing is written. */
export type { Attempt } from './facts.ts'
export { createRetraces, type Retraces, type StepPart } from './retraces.ts'
export type { Shown } from './shown.ts'
export { type RetracedStep, type ShownPart, type StepKind, type StepPage, type StepQuery, type StepState, stepStates, type Why } from './types.ts'
