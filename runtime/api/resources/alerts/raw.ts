import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Principal } from '../../../domain/index.ts'
import { TocsinError } from '../../../errors/index.ts'
import { contentJson, readContent } from '../../../playbook/index.ts'
import { type Static, Type } from '../../../schema/index.ts'
import { sendJson } from '../../answer/index.ts'
import { callerOf } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { operation } from '../../operation.ts'
import { acceptTextBodies, idempotencyKeyOf, traceparentOf } from '../../request/index.ts'
import { RawQuerySchema, rawFieldsOf } from './raw-fields.ts'
import { alertView } from './view.ts'
import { heldUntilEnd } from './wait-for-end.ts'

const description =
  'The whole body becomes the content of the alert, whatever it is. The parameters say the rest. For sources that cannot send the body of createAlert.'
const response = { 200: Type.Ref('Alert#') }
const body = { content: { '*/*': { schema: { type: 'string', description: 'The content of the alert: JSON or any other text.' } } } }
const errors = ['organization_unknown', 'provider_unknown', 'idempotency_key_invalid', 'idempotency_key_reused', 'overloaded'] as const
const headers = ['idempotency-key', 'prefer', 'traceparent'] as const

/** Adds `POST /platformapi/alerts/raw`, for sources that decide themselves what they send: a webhook of a SIEM, for example. */
export function rawAlertRoutes(app: Api, context: ApiContext): void {
  const { services } = context

  const accept = async (request: FastifyRequest, query: Static<typeof RawQuerySchema>, reply: FastifyReply): Promise<unknown> => {
    const { principal } = callerOf(request)
    const content = request.body
    if (typeof content !== 'string') throw new TocsinError('body_invalid', 'The body is empty. Send the alert as the body.')
    await readContent(content, services.turns, principal.id)
    const { alertType, idempotencyKey, createdAtSource } = rawFieldsOf(query, contentJson(content))
    const { organization_code: organizationCode, alert_provider: alertProvider } = query
    const submission = { alertContent: content, alertProvider, organizationCode, alertType, createdAtSource }
    const accepted = await services.ingest.accept(principal, submission, idempotencyKeyOf(request) ?? idempotencyKey, traceparentOf(request))
    if (!accepted.fresh) reply.header('idempotency-replayed', 'true')
    const alert = await heldUntilEnd(context, request, reply, accepted.alert, accepted.fresh)
    return sendJson(reply, alertView(alert), services.turns, alert.organization)
  }

  // These routes read every body as text, so they are apart from the others.
  app.register(async (server) => {
    const apart = server as unknown as Api
    acceptTextBodies(apart, services.turns)
    apart.post(
      '/platformapi/alerts/raw',
      operation(
        context,
        { id: 'createRawAlert', tag: 'alerts', summary: 'Create an alert from any body', description, permission: 'alerts:write', errors, headers },
        { body, querystring: RawQuerySchema, response },
      ),
      (request, reply) => accept(request, request.query, reply),
    )
    apart.post(
      '/platformapi/alerts/raw/:key',
      operation(
        context,
        {
          id: 'createRawAlertWithKey',
          tag: 'alerts',
          summary: 'Create an alert from any body, with the API key in the address',
          description: `${description} For sources that can only call an address. The key must have no scope but alerts:write.`,
          permission: 'alerts:write',
          keyInPath: true,
          errors: ['key_too_powerful', ...errors],
          headers,
        },
        {
          params: Type.Object({ key: Type.String({ description: 'An API key with the single scope alerts:write.' }) }),
          body,
          querystring: RawQuerySchema,
          response,
        },
      ),
      (request, reply) => {
        refusePowerful(callerOf(request).principal)
        return accept(request, request.query, reply)
      },
    )
  })
}

/** An address is written to logs and settings that others read. So its key may only send alerts. */
function refusePowerful({ permissions }: Principal): void {
  if (permissions.every((permission) => permission === 'alerts:write')) return
  throw new TocsinError('key_too_powerful', `The key has the scopes ${permissions.join(', ')}. In an address it may only have alerts:write.`)
}
