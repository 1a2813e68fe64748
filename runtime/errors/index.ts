export * from './error.ts'
export * from './registry.ts'
