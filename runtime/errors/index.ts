export * from './error.ts'
export * from './registry/index.ts'
