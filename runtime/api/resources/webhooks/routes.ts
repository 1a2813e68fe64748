import { asId, type Millis, type WebhookId } from '../../../domain/index.ts'
import type { WebhookView } from '../../../notify/index.ts'
import { Type } from '../../../schema/index.ts'
import { tellAct } from '../../act.ts'
import { callerOf } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { operation } from '../../operation.ts'
import { cursorsOf, nextCursor, pageParameters } from '../../request/index.ts'
import { pageOf, Uuid } from '../../schemas.ts'
import { NewWebhookSchema, WebhookChangeSchema, WebhookSchema, WebhookTestSchema, WebhookWithSecretSchema, webhookView } from './view.ts'

const params = Type.Object({ id: Uuid })
const querystring = Type.Object({})
const hour: Millis = 3_600_000

const RotateBody = Type.Object(
  {
    overlap: Type.Integer({
      minimum: 0,
      maximum: 7 * 24 * hour,
      default: 24 * hour,
      description: 'How long the old secret stays valid, in milliseconds; 0: it becomes invalid at once.',
    }),
  },
  { additionalProperties: false },
)

/** Adds `/platformapi/webhooks`: list, create, read, change, remove and test webhooks, and give one a new secret. */
export function webhookRoutes(app: Api, context: ApiContext): void {
  const { webhooks } = context.services
  const cursors = cursorsOf('webhooks', null)
  for (const schema of [WebhookSchema, WebhookWithSecretSchema, WebhookTestSchema]) app.addSchema(schema)

  app.get(
    '/platformapi/webhooks',
    operation(
      context,
      {
        id: 'listWebhooks',
        tag: 'webhooks',
        summary: "List the webhooks of the key's organizations",
        description: 'A key of all organizations also sees the webhooks for all organizations.',
        permission: 'webhooks:read',
        errors: ['cursor_invalid'],
      },
      { querystring: Type.Object(pageParameters), response: { 200: pageOf('Webhook') } },
    ),
    async (request) => {
      const { cursor, limit } = request.query
      const after = cursor === undefined ? null : asId<WebhookId>(String(cursors.decode(cursor)[0]))
      const page = await webhooks.list(callerOf(request).scope, { after, limit })
      return { items: page.items.map(webhookView), next_cursor: nextCursor(page, cursors, ({ id }) => [id]) }
    },
  )

  app.post(
    '/platformapi/webhooks',
    operation(
      context,
      {
        id: 'createWebhook',
        tag: 'webhooks',
        summary: 'Create a webhook',
        description: 'It receives events from now on; events of other processes, from a second later.',
        permission: 'webhooks:write',
        errors: ['webhook_invalid', 'webhooks_exceeded', 'organization_unknown', 'organization_forbidden'],
      },
      { body: NewWebhookSchema, querystring, response: { 201: Type.Ref('WebhookWithSecret#') } },
    ),
    async (request, reply) => {
      const { organization_code = null, ...draft } = request.body
      const { webhook, secret } = await webhooks.create(callerOf(request).principal, { organizationCode: organization_code, ...draft })
      tellAct(context, request, 'a webhook was created', { ...named(webhook), events: [...webhook.events] })
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({ ...webhookView(webhook), secret })
    },
  )

  app.get(
    '/platformapi/webhooks/:id',
    operation(
      context,
      { id: 'getWebhook', tag: 'webhooks', summary: 'Read a webhook', permission: 'webhooks:read', errors: ['webhook_unknown'] },
      { params, querystring, response: { 200: Type.Ref('Webhook#') } },
    ),
    async (request) => webhookView(await webhooks.get(callerOf(request).scope, asId<WebhookId>(request.params.id))),
  )

  app.patch(
    '/platformapi/webhooks/:id',
    operation(
      context,
      {
        id: 'changeWebhook',
        tag: 'webhooks',
        summary: 'Change, enable or disable a webhook',
        description: 'Disabling a webhook gives up its waiting deliveries.',
        permission: 'webhooks:write',
        errors: ['webhook_unknown', 'webhook_changed', 'webhook_invalid'],
      },
      { params, body: WebhookChangeSchema, querystring, response: { 200: Type.Ref('Webhook#') } },
    ),
    async (request) => {
      const webhook = await webhooks.revise(callerOf(request).scope, asId<WebhookId>(request.params.id), request.body)
      const { revision: _, ...fields } = request.body
      tellAct(context, request, 'a webhook was changed', { ...named(webhook), revision: webhook.revision, fields: Object.keys(fields) })
      return webhookView(webhook)
    },
  )

  app.delete(
    '/platformapi/webhooks/:id',
    operation(
      context,
      {
        id: 'deleteWebhook',
        tag: 'webhooks',
        summary: 'Delete a webhook with its deliveries',
        permission: 'webhooks:write',
        errors: ['webhook_unknown'],
      },
      { params, querystring, response: { 204: Type.Null({ description: 'Deleted.' }) } },
    ),
    async (request, reply) => {
      const { scope } = callerOf(request)
      const webhook = await webhooks.get(scope, asId<WebhookId>(request.params.id))
      await webhooks.remove(scope, webhook.id)
      tellAct(context, request, 'a webhook was deleted', named(webhook))
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/platformapi/webhooks/:id/secret',
    operation(
      context,
      {
        id: 'rotateWebhookSecret',
        tag: 'webhooks',
        summary: 'Give a webhook a new secret',
        description: 'During the overlap each delivery has two signatures, one of each secret.',
        permission: 'webhooks:write',
        errors: ['webhook_unknown', 'webhook_changed'],
      },
      { params, body: RotateBody, querystring, response: { 200: Type.Ref('WebhookWithSecret#') } },
    ),
    async (request, reply) => {
      const { webhook, secret } = await webhooks.rotate(callerOf(request).scope, asId<WebhookId>(request.params.id), request.body.overlap)
      tellAct(context, request, 'a webhook got another secret', { ...named(webhook), revision: webhook.revision })
      return reply.header('cache-control', 'no-store').send({ ...webhookView(webhook), secret })
    },
  )

  app.post(
    '/platformapi/webhooks/:id/test',
    operation(
      context,
      {
        id: 'testWebhook',
        tag: 'webhooks',
        summary: 'Send one ping to a webhook, and answer with the result',
        description: 'Works for a disabled webhook too. At most ten pings a minute for the webhooks of an organization.',
        permission: 'webhooks:write',
        errors: ['webhook_unknown', 'webhook_tests_exceeded'],
      },
      { params, querystring, response: { 200: Type.Ref('WebhookTest#') } },
    ),
    async (request) => {
      const { status, error, took } = await webhooks.test(callerOf(request).scope, asId<WebhookId>(request.params.id), context.closing)
      tellAct(context, request, 'a webhook was tested', { webhook: request.params.id, status, ok: error === null })
      return { ok: error === null, status, error, took }
    },
  )
}

/** Names a webhook for the log, with only the origin of its URL: the rest may be a secret of the receiver. */
function named({ id: webhook, url, organizationCode: organization }: WebhookView) {
  return { webhook, origin: new URL(url).origin, organization }
}
