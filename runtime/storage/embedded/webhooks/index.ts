/** Webhooks, their deliveries, and the outbox of facts that they still have to be told. */
export { deliveryTable } from './deliveries.ts'
export { outboxTable } from './outbox.ts'
export { webhookTable } from './webhooks.ts'
