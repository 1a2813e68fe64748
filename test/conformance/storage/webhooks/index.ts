/**
 * What every store must do with webhooks, their deliveries, and the outbox of facts that they still have to
 * be told.
 */
export { deliveryCases } from './deliveries.ts'
export { outboxCases } from './outbox.ts'
export { webhookCases } from './webhooks.ts'
