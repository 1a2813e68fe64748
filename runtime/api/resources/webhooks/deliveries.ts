import { asId, type DeliveryId, deliveryStates, type WebhookId } from '../../../domain/index.ts'
import { Type } from '../../../schema/index.ts'
import { tellAct } from '../../act.ts'
import { callerOf } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { operation } from '../../operation.ts'
import { cursorsOf, nextCursor, pageParameters, timeAndId } from '../../request/index.ts'
import { oneOf, pageOf, Uuid } from '../../schemas.ts'
import { DeliverySchema, deliveryView } from './view.ts'

const ListQuery = Type.Object({
  state: Type.Optional(Type.Array(oneOf(deliveryStates), { maxItems: 3, description: 'May be repeated.' })),
  ...pageParameters,
})

/** Adds the deliveries of a webhook: list them, and send one again. */
export function deliveryRoutes(app: Api, context: ApiContext): void {
  const { webhooks } = context.services
  app.addSchema(DeliverySchema)

  app.get(
    '/platformapi/webhooks/:id/deliveries',
    operation(
      context,
      {
        id: 'listDeliveries',
        tag: 'webhooks',
        summary: 'List the deliveries of a webhook, newest first',
        description: 'Deliveries are kept for 3 days. Deliveries that were given up are kept for 14.',
        permission: 'webhooks:read',
        errors: ['webhook_unknown', 'cursor_invalid'],
      },
      { params: Type.Object({ id: Uuid }), querystring: ListQuery, response: { 200: pageOf('Delivery') } },
    ),
    async (request) => {
      const { cursor, limit, state } = request.query
      const webhook = asId<WebhookId>(request.params.id)
      const cursors = cursorsOf('deliveries', { webhook, state })
      const at = timeAndId(cursors, cursor)
      const after = at && { createdAt: at.time, id: asId<DeliveryId>(at.id) }
      const page = await webhooks.deliveries(callerOf(request).scope, { webhook, ...(state && { states: state }), after, limit })
      return { items: page.items.map(deliveryView), next_cursor: nextCursor(page, cursors, ({ createdAt, id }) => [createdAt, id]) }
    },
  )

  app.post(
    '/platformapi/webhooks/:id/deliveries/:delivery/redeliver',
    operation(
      context,
      {
        id: 'redeliver',
        tag: 'webhooks',
        summary: 'Send a delivery again',
        description: 'Whether it was delivered or given up. Sends it within seconds, with the same webhook-id, and with three more days of attempts.',
        permission: 'webhooks:write',
        errors: ['webhook_unknown', 'webhook_disabled', 'delivery_unknown'],
      },
      {
        params: Type.Object({ id: Uuid, delivery: Type.String({ maxLength: 256 }) }),
        querystring: Type.Object({}),
        response: { 200: Type.Ref('Delivery#') },
      },
    ),
    async (request) => {
      const { id, delivery } = request.params
      const again = await webhooks.redeliver(callerOf(request).scope, asId<WebhookId>(id), asId<DeliveryId>(delivery))
      tellAct(context, request, 'a delivery is made again', { webhook: id, delivery: again.id })
      return deliveryView(again)
    },
  )
}
