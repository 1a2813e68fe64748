/** What organizations are told about: the events, the webhooks that want them, and their deliveries. */
export * from './delivery.ts'
export * from './event.ts'
export * from './webhook.ts'
