/** Playbooks: list and read the active ones, check and activate texts, go back to an earlier version. */
export { playbookActivationRoutes } from './activation.ts'
export { playbookRoutes } from './routes.ts'
export { playbookVersionRoutes } from './versions.ts'
