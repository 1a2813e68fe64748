/** Webhooks, their deliveries, and the outbox of facts that they still have to be told. */
export { deliveryStore } from './deliveries.ts'
export { outboxStore } from './outbox.ts'
export { Audience, webhookStore } from './webhooks.ts'
