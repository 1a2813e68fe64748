import type { Webhook, WebhookId } from '../../../domain/index.ts'

export interface WebhookDocument extends Omit<Webhook, 'id'> {
  readonly _id: WebhookId
}
