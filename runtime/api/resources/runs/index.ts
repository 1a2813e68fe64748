/** Runs: list and read them, explain their steps, cancel them, undo what they wrote, and make evidence of them. */
export type { RunDetailsSchema } from './details.ts'
export { runEvidenceRoutes } from './evidence.ts'
export { type RunGraphSchema, type RunWritesSchema, runGraphRoutes } from './graph.ts'
export { runRecordRoute } from './record.ts'
export { runRoutes } from './routes.ts'
export type { RunStepSchema } from './step-view.ts'
export { runStepRoutes } from './steps.ts'
export { runUndoRoutes } from './undo.ts'
export type { RunUndoSchema } from './undo-view.ts'
export {
  CancellationSchema,
  cancellationView,
  DeathsSchema,
  deathsView,
  namesOfRuns,
  type RunSummarySchema,
  runView,
  UndoneBySchema,
  undoneByView,
} from './view.ts'
