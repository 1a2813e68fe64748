import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { isWithin } from './units.ts'

/** A compiled JSON Schema (2020-12). `errors` is of the last call, as Ajv has it. */
export interface Check<T> {
  (value: unknown): value is T
  errors?: readonly ErrorObject[] | null
}

/** Annotations of our own in the schemas of documents. */
const vocabulary = ['x-semantic', 'x-fault']

let shared: Ajv2020 | null = null

/** One for all: each would compile the schema of schemas anew. */
function compiler(): Ajv2020 {
  if (shared) return shared
  shared = new Ajv2020({ allErrors: true, strict: true, strictTypes: false, strictRequired: false, verbose: true, allowUnionTypes: true })
  formats.default(shared)
  for (const keyword of vocabulary) shared.addKeyword(keyword)
  shared.addKeyword({ keyword: 'x-longest', type: 'string', schemaType: 'string', errors: false, validate: isWithin })
  return shared
}

/**
 * The check of a document that an engineer writes, by its schema. Nothing is coerced and no default is filled in; every fault is found,
 * not only the first. `x-fault` beside a keyword replaces its message. The schema is compiled at the first call: it takes long, and most
 * commands read no document.
 */
export function compileCheck<T>(schema: object): Check<T> {
  let compiled: Check<T> | null = null
  const check: Check<T> = (value): value is T => {
    compiled ??= compiler().compile<T>(schema)
    const fits = compiled(value)
    check.errors = compiled.errors ?? null
    return fits
  }
  return check
}
