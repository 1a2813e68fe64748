/**
 * The resources of the API, a folder for each: `routes.ts` has its operations, and `view.ts` what it answers.
 * To add one, write its folder and add its routes to this list.
 */
import type { Api, ApiContext } from '../context.ts'
import { auditRoute, consoleSignInRoutes, keyRoutes } from './access/index.ts'
import { agentRoutes, agentTunnel, isTunnel } from './agents/index.ts'
import { alertBatchRoute, alertListRoute, alertRoutes, rawAlertRoutes } from './alerts/index.ts'
import { caseListRoute, caseRoutes } from './cases/index.ts'
import {
  connectionCallRoutes,
  connectionRoutes,
  connectionUseRoutes,
  entryCheckRoute,
  integrationRoutes,
  skillPreviewRoute,
} from './connections/index.ts'
import { decisionRoutes } from './decisions/index.ts'
import { feedRoutes } from './feed/index.ts'
import { fetchRoutes } from './fetches/index.ts'
import { organizationRoutes, policyRoutes, policyTextRoutes, providerRoutes } from './organizations/index.ts'
import { pauseRoutes } from './pauses/index.ts'
import {
  playbookActivationRoutes,
  playbookAuthoringRoutes,
  playbookGraphRoutes,
  playbookLintRoute,
  playbookOrganizationsRoute,
  playbookRehearsalRoutes,
  playbookRoutes,
  playbookVersionRoutes,
} from './playbooks/index.ts'
import { runEvidenceRoutes, runGraphRoutes, runRecordRoute, runRoutes, runStepRoutes, runUndoRoutes } from './runs/index.ts'
import { statisticsRoutes } from './statistics/index.ts'
import { consoleRoutes, healthRoutes, metricsRoute, versionRoute } from './system/index.ts'
import { deliveryRoutes, webhookRoutes } from './webhooks/index.ts'

export { healthRoutes, isTunnel, metricsRoute }

/** Registers the operations of a resource. */
type Register = (app: Api, context: ApiContext) => void

export const resources: readonly Register[] = [
  alertRoutes,
  alertBatchRoute,
  rawAlertRoutes,
  alertListRoute,
  caseRoutes,
  caseListRoute,
  decisionRoutes,
  organizationRoutes,
  policyRoutes,
  policyTextRoutes,
  feedRoutes,
  providerRoutes,
  runRoutes,
  runStepRoutes,
  runGraphRoutes,
  runRecordRoute,
  runEvidenceRoutes,
  runUndoRoutes,
  webhookRoutes,
  deliveryRoutes,
  pauseRoutes,
  agentRoutes,
  agentTunnel,
  connectionRoutes,
  connectionCallRoutes,
  integrationRoutes,
  entryCheckRoute,
  skillPreviewRoute,
  connectionUseRoutes,
  fetchRoutes,
  playbookRoutes,
  playbookGraphRoutes,
  playbookVersionRoutes,
  playbookLintRoute,
  playbookActivationRoutes,
  statisticsRoutes,
  playbookAuthoringRoutes,
  playbookOrganizationsRoute,
  playbookRehearsalRoutes,
  keyRoutes,
  auditRoute,
  healthRoutes,
  metricsRoute,
  versionRoute,
  consoleRoutes,
  consoleSignInRoutes,
]
