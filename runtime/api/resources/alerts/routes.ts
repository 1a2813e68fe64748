import { endedStatuses } from '../../../domain/index.ts'
import type { AlertSubmission } from '../../../ingest/index.ts'
import { listObservables, readContent } from '../../../playbook/index.ts'
import { Type } from '../../../schema/index.ts'
import { tellAct } from '../../act.ts'
import { sendJson } from '../../answer/index.ts'
import { callerOf } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { operation } from '../../operation.ts'
import { idempotencyKeyOf, traceparentOf } from '../../request/index.ts'
import { openDecisionsOfRuns } from '../decisions/index.ts'
import { pausesOfAlert } from '../pauses/index.ts'
import { alertOf } from '../shared/index.ts'
import { type Submission, SubmissionSchema } from './submission.ts'
import {
  AlertDetailsSchema,
  AlertItemSchema,
  AlertSchema,
  alertDetailsView,
  alertView,
  earlierWriteView,
  RetriedAlertSchema,
  RetryPreviewSchema,
} from './view.ts'
import { heldUntilEnd } from './wait-for-end.ts'

const id = Type.Object({ id: Type.String({ description: 'The alert_id or the alert_uuid.' }) })

/** Adds `/platformapi/alerts`: create an alert, read it, and investigate it again. */
export function alertRoutes(app: Api, context: ApiContext): void {
  const { services } = context
  for (const schema of [AlertSchema, RetriedAlertSchema, RetryPreviewSchema, AlertItemSchema, AlertDetailsSchema]) app.addSchema(schema)

  app.post(
    '/platformapi/alerts',
    operation(
      context,
      {
        id: 'createAlert',
        tag: 'alerts',
        summary: 'Create an alert',
        description: 'Status 200 means that the alert is durable. An alert with an alert_type is investigated and gets a case.',
        permission: 'alerts:write',
        errors: ['organization_unknown', 'provider_unknown', 'idempotency_key_invalid', 'idempotency_key_reused', 'overloaded'],
        headers: ['idempotency-key', 'prefer', 'traceparent'],
      },
      { body: SubmissionSchema, querystring: Type.Object({}), response: { 200: Type.Ref('Alert#') } },
    ),
    async (request, reply) => {
      const { principal } = callerOf(request)
      const accepted = await services.ingest.accept(principal, submissionOf(request.body), idempotencyKeyOf(request), traceparentOf(request))
      if (!accepted.fresh) reply.header('idempotency-replayed', 'true')
      const alert = await heldUntilEnd(context, request, reply, accepted.alert, accepted.fresh)
      return sendJson(reply, alertView(alert), services.turns, alert.organization)
    },
  )

  app.get(
    '/platformapi/alerts/:id',
    operation(
      context,
      {
        id: 'getAlert',
        tag: 'alerts',
        summary: 'Read an alert with its investigations and its case',
        permission: 'alerts:read',
        errors: ['alert_unknown'],
        headers: ['prefer'],
      },
      { params: id, querystring: Type.Object({}), response: { 200: Type.Ref('AlertDetails#') } },
    ),
    async (request, reply) => {
      const { scope } = callerOf(request)
      const found = await alertOf(services.store, scope, request.params.id)
      const alert = await heldUntilEnd(context, request, reply, found)
      const [runs, undos, repeats, ofCase] = await Promise.all([
        services.store.runs.ofAlert(scope, alert.uuid),
        services.store.runs.undosOfAlert(scope, alert.uuid),
        services.store.alerts.repeats(scope, alert.uuid),
        alert.case === null ? null : services.store.cases.get(scope, alert.case),
      ])
      const [pauses, open] = await Promise.all([
        pausesOfAlert(services.store, scope, alert, runs),
        openDecisionsOfRuns(services.store, scope, [...runs, ...undos]),
      ])
      // Long content is parsed in turns with other work.
      await readContent(alert.content, services.turns, alert.organization)
      // Finding observables takes up to 20 ms. Many reads at once must leave the event loop to others in between.
      const turn = services.turns.next(alert.organization)
      if (turn) await turn
      const observables = listObservables(alert.content)
      const view = alertDetailsView(alert, { runs, undos, open, repeats, case: ofCase, pauses, observables })
      return sendJson(reply, view, services.turns, alert.organization)
    },
  )

  app.get(
    '/platformapi/alerts/:id/retry',
    operation(
      context,
      {
        id: 'previewRetry',
        tag: 'alerts',
        summary: 'What a retry may repeat',
        description: 'Changes nothing.',
        permission: 'alerts:read',
        errors: ['alert_unknown'],
      },
      { params: id, querystring: Type.Object({}), response: { 200: Type.Ref('RetryPreview#') } },
    ),
    async (request, reply) => {
      const alert = await alertOf(services.store, callerOf(request).scope, request.params.id)
      const earlier_writes = (await services.investigations.earlierWrites(alert.uuid)).map(earlierWriteView)
      const retriable = alert.type !== null && endedStatuses.includes(alert.status)
      return sendJson(reply, { alert_id: alert.alertId, retriable, earlier_writes }, services.turns, alert.organization)
    },
  )

  app.post(
    '/platformapi/alerts/:id/retry',
    operation(
      context,
      {
        id: 'retryAlert',
        tag: 'alerts',
        summary: 'Investigate an alert again',
        description:
          'Allowed once the investigation has ended (status 15 or 20). The new attempt continues in the same case and starts from the beginning. It may repeat `earlier_writes`.',
        permission: 'alerts:write',
        errors: ['alert_unknown', 'alert_not_retriable'],
        headers: ['prefer'],
      },
      { params: id, querystring: Type.Object({}), response: { 200: Type.Ref('RetriedAlert#') } },
    ),
    async (request, reply) => {
      const { principal, scope } = callerOf(request)
      const found = await alertOf(services.store, scope, request.params.id)
      const { alert, earlierWrites } = await services.investigations.retry(principal, found.uuid)
      const { alertId, organizationCode, retryCount, caseId } = alert
      tellAct(context, request, 'an alert is investigated again', {
        ...{ organization: organizationCode, alert: alertId, attempt: retryCount + 1, case: caseId },
        earlier_writes: earlierWrites.length,
      })
      const earlier_writes = earlierWrites.map(earlierWriteView)
      const view = alertView(await heldUntilEnd(context, request, reply, alert))
      return sendJson(reply, { ...view, earlier_writes }, services.turns, alert.organization)
    },
  )
}

/** Converts a checked body for ingest. Adding 0 turns -0 into 0. */
export function submissionOf(body: Submission): AlertSubmission {
  return {
    alertContent: body.alert_content,
    alertProvider: body.alert_provider,
    organizationCode: body.organization_code,
    alertType: body.alert_type ?? null,
    createdAtSource: body.created_at_source === undefined ? null : body.created_at_source + 0,
  }
}
