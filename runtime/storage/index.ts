export { Fresh } from './fresh.ts'
export type * from './port/index.ts'
