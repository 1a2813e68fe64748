export * from './logger.ts'
