/** Webhooks: create, change and remove them, send a test, and list and repeat their deliveries. */
export { deliveryRoutes } from './deliveries.ts'
export { webhookRoutes } from './routes.ts'
export type { DeliverySchema, WebhookSchema, WebhookTestSchema, WebhookWithSecretSchema } from './view.ts'
