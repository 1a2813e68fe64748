/**
 * Playbooks: list and read the active ones, write, check and rehearse texts, activate them, and return to an earlier
 * version.
 */
export { playbookActivationRoutes } from './activation.ts'
export { playbookAuthoringRoutes } from './authoring.ts'
export { graphEdge, graphEdgeView, graphNode, graphNodeView, type PlaybookGraphSchema } from './graph-view.ts'
export { playbookGraphRoutes } from './graphs.ts'
export { playbookLintRoute } from './lint.ts'
export { playbookOrganizationsRoute } from './organizations.ts'
export { playbookRehearsalRoutes } from './rehearsals.ts'
export { playbookRoutes } from './routes.ts'
export type * from './types.ts'
export { playbookVersionRoutes } from './versions.ts'
