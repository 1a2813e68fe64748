export type { Redis } from 'ioredis'
export { Connection } from './connection.ts'
