/** Pauses: stop and resume everything, an organization, a playbook or a connection. `holding-pauses.ts` finds the pauses that hold an alert or a run. */
export { pausesOfAlert, pausesOfRun } from './holding-pauses.ts'
export { pauseRoutes } from './routes.ts'
export { type PauseSchema, pauseView } from './view.ts'
