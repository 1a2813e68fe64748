/**
 * The resources of the API, a folder for each: `routes.ts` has its operations, and `view.ts` what it answers.
 * To add one, write its folder and add its routes to this list.
 */
import type { Api, ApiContext } from '../context.ts'
import { consoleSignInRoutes, keyRoutes } from './access/index.ts'
import { alertBatchRoute, alertListRoute, alertRoutes } from './alerts/index.ts'
import { caseListRoute, caseRoutes } from './cases/index.ts'
import { connectionCallRoutes, connectionRoutes, integrationRoutes } from './connections/index.ts'
import { decisionRoutes } from './decisions/index.ts'
import { organizationRoutes, policyRoutes, providerRoutes } from './organizations/index.ts'
import { pauseRoutes } from './pauses/index.ts'
import { playbookActivationRoutes, playbookRoutes, playbookVersionRoutes } from './playbooks/index.ts'
import { runRoutes, runStepRoutes, runUndoRoutes } from './runs/index.ts'
import { consoleRoutes, healthRoutes } from './system/index.ts'
import { deliveryRoutes, webhookRoutes } from './webhooks/index.ts'

export { healthRoutes }

/** Registers the operations of a resource. */
type Register = (app: Api, context: ApiContext) => void

export const resources: readonly Register[] = [
  alertRoutes,
  alertBatchRoute,
  alertListRoute,
  caseRoutes,
  caseListRoute,
  decisionRoutes,
  organizationRoutes,
  policyRoutes,
  providerRoutes,
  runRoutes,
  runStepRoutes,
  runUndoRoutes,
  webhookRoutes,
  deliveryRoutes,
  pauseRoutes,
  connectionRoutes,
  connectionCallRoutes,
  integrationRoutes,
  playbookRoutes,
  playbookVersionRoutes,
  playbookActivationRoutes,
  keyRoutes,
  healthRoutes,
  consoleRoutes,
  consoleSignInRoutes,
]
