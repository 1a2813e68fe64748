/**
 * The connection to Redis, shared by the queue and the rate limits. It reconnects by itself and knows whether Redis
 * answers.
 */
export type { Redis } from 'ioredis'
export { Connection } from './connection.ts'
