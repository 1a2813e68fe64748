import type { Webhook, WebhookId } from '../../../domain/index.ts'

/** A webhook. */
export interface WebhookDocument extends Omit<Webhook, 'id'> {
  readonly _id: WebhookId
}
