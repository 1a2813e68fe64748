import type { Ajv2020, ErrorObject } from 'ajv/dist/2020.js'
import { isWithin } from '../../formats/index.ts'
import { ajv2020, ajvFormats } from '../../packages/index.ts'

/** A compiled JSON Schema (2020-12). As in Ajv, `errors` belongs to the last call. */
export interface Check<T> {
  (value: unknown): value is T
  errors?: readonly ErrorObject[] | null
}

/** Annotations of our own in the schemas of documents. */
const vocabulary = ['x-semantic', 'x-fault']

let shared: Ajv2020 | null = null

/** One instance for all schemas: each instance compiles the meta-schema again. */
function compiler(): Ajv2020 {
  if (shared) return shared
  const { Ajv2020 } = ajv2020()
  shared = new Ajv2020({
    allErrors: true,
    strict: true,
    strictTypes: false,
    strictRequired: false,
    verbose: true,
    allowUnionTypes: true,
    // It would make a first start slower, and no check faster.
    code: { optimize: false },
  })
  ajvFormats().default(shared)
  for (const keyword of vocabulary) shared.addKeyword(keyword)
  shared.addKeyword({ keyword: 'x-longest', type: 'string', schemaType: 'string', errors: false, validate: isWithin })
  return shared
}

/**
 * Makes a check of documents from a schema. The check changes no value, fills in no default, and finds every fault, not only the first.
 * `x-fault` beside a keyword replaces its message. The schema is compiled on the first call: that is slow, and most commands read no
 * document.
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
