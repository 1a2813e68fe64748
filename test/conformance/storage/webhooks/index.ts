/** What every store must do with webhooks, the outbox of facts that they are still to be told, and deliveries. */
export { deliveryCases } from './deliveries.ts'
export { outboxCases } from './outbox.ts'
export { webhookCases } from './webhooks.ts'
