/**
 * Investigates alerts: takes jobs, executes runs step by step, sends writes at most once, asks people, and undoes runs. `worker/` is where a job
 * comes in, `run/` executes it, and `journal/` and `write/` hold the write protocol.
 */
export type { SkillCall, SkillCaller } from './call/index.ts'
export { DecisionService, makersOf } from './decisions/index.ts'
export { caseSteps } from './end/index.ts'
export { GivenUp } from './failure/index.ts'
export { protectedAt } from './guards/index.ts'
export { overMark, type RecordedWay, untilMark } from './journal/index.ts'
export {
  type Binding,
  bindSlots,
  type ConnectionUse,
  type ConnectionUses,
  CurrentConnections,
  changedConnection,
  createConnectionUses,
  type PreparedRun,
  pinnedSlot,
  RunPreparer,
} from './prepare/index.ts'
export {
  type Engine,
  executeRun,
  type Observed,
  type RetraceDeps,
  type Retraced,
  type RunEnd,
  type RunObserver,
  RunService,
  type RunTrace,
  retraceRun,
  type StepView,
} from './run/index.ts'
export {
  type NotUndone,
  type Undo,
  type UndoneWrite,
  type UndoPreview,
  UndoService,
  undoPlan,
} from './undo/index.ts'
export { EndWatch, Sweeper, startWorker, type Worker } from './worker/index.ts'
