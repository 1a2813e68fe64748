/**
 * Executes one claimed run: its plan, step by step, until it ends or sleeps. `execution.ts` is what all steps
 * of the run share. The kinds of steps are in `steps/`, how steps follow one another in `flow/`, and
 * templates, conditions and sizes in `values/`.
 */
export type { Engine } from './engine.ts'
export { executeRun } from './execute-run.ts'
export type { Observed, RunObserver, StepView } from './observer.ts'
export { type RetraceDeps, type Retraced, retraceRun } from './retrace.ts'
export { RunService } from './run-service.ts'
export type { RunEnd, RunTrace } from './tracer.ts'
