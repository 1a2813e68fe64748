export * from './bounded.ts'
export * from './logger.ts'
