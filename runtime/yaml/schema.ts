import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

/** A compiled JSON Schema (2020-12). `errors` is of the last call, as Ajv has it. */
export interface Check<T> {
  (value: unknown): value is T
  errors?: readonly ErrorObject[] | null
}

/** Annotations of our own in the schemas of documents. */
const vocabulary = ['x-semantic', 'x-fault']

/**
 * Compiles the schema of a document that an engineer writes. Nothing is coerced and no default is filled in; every fault is found,
 * not only the first. `x-fault` beside a keyword replaces its message.
 */
export function compileCheck<T>(schema: object): Check<T> {
  const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false, strictRequired: false, verbose: true, allowUnionTypes: true })
  formats.default(ajv)
  for (const keyword of vocabulary) ajv.addKeyword(keyword)
  return ajv.compile<T>(schema)
}
