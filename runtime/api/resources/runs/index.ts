/** Runs: list and read them, explain their steps, cancel them, and undo what they wrote. */
export type { RunDetailsSchema } from './details.ts'
export { runRoutes } from './routes.ts'
export type { RunStepSchema } from './step-view.ts'
export { runStepRoutes } from './steps.ts'
export { runUndoRoutes } from './undo.ts'
export { CancellationSchema, cancellationView, DeathsSchema, deathsView, UndoneBySchema, undoneByView } from './view.ts'
