export * from './schema.ts'
export * from './world.ts'
