/** Webhooks, the outbox of facts that they are still to be told, and deliveries. */
export { deliveryTable } from './deliveries.ts'
export { outboxTable } from './outbox.ts'
export { webhookTable } from './webhooks.ts'
