/** Webhooks, the outbox of facts that they are still to be told, and deliveries. */
export { deliveryStore } from './deliveries.ts'
export { outboxStore } from './outbox.ts'
export { Audience, webhookStore } from './webhooks.ts'
