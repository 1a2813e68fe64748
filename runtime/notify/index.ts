/**
 * Webhooks: finds events in the store, signs them and delivers them, with retries. `notifier.ts` decides what to
 * tell whom, `courier.ts` delivers it, and `webhooks.ts` manages the webhooks of an organization.
 */
export { atOnce, Courier, type DeliveryMeter } from './courier.ts'
export { Notifier } from './notifier.ts'
export { watchFacts } from './watch-facts.ts'
export { mostWebhooks, Webhooks, type WebhookView } from './webhooks.ts'
