/** Playbooks: list and read the active ones, check and activate texts, and return to an earlier version. */
export { playbookActivationRoutes } from './activation.ts'
export { playbookRoutes } from './routes.ts'
export { playbookVersionRoutes } from './versions.ts'
