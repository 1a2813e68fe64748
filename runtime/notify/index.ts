export { atOnce, Courier } from './courier.ts'
export { Notifier } from './notifier.ts'
export { watchFacts } from './watch-facts.ts'
export { mostWebhooks, Webhooks, type WebhookView } from './webhooks.ts'
