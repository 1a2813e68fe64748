export { atOnce, Courier, type CourierMeans } from './courier.ts'
export { Notifier } from './notifier.ts'
export { watchFacts } from './watch-facts.ts'
export { mostWebhooks, type WebhookChange, type WebhookDraft, Webhooks, type WebhookTest, type WebhookView } from './webhooks.ts'
