/**
 * JSON Schema as skills use it. `schema.ts` compiles a schema so that a check has a bounded cost,
 * whatever the schema and the value. `end-times.ts` handles the inputs that say when something
 * ends.
 */
export { endFault } from './end-times.ts'
export { compileForeignSchema, type SchemaFault } from './schema.ts'
