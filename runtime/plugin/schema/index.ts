/**
 * JSON Schema as skills use it. `schema.ts` compiles a schema so that a check has a bounded cost, whatever the schema and the value;
 * `end-times.ts` has the inputs that say when something ends.
 */
export { type EndFault, endFault } from './end-times.ts'
export { compileForeignSchema, compileSchema, int64Format, type SchemaFault, type ValueSchema } from './schema.ts'
