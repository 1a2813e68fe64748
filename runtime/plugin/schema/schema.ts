import type { Ajv2020, ErrorObject, Options, ValidateFunction } from 'ajv/dist/2020.js'
import { type Json, longerThan, risks } from '../../domain/index.ts'
import { messageOf } from '../../errors/index.ts'
import { mostWork, type Work, WorkExceeded } from '../../expressions/index.ts'
import { textFormats } from '../../formats/index.ts'
import { ajv2020, ajvFormats } from '../../packages/index.ts'
import { endKeyword } from './end-times.ts'
import { faultOf, partsOf } from './fault-words.ts'
import { orderKeyword } from './order.ts'
import { addWork, withWork } from './schema-parts.ts'
import { boundedFormat, paidFor, pay, safeFormat, safeRegExp, uniqueItems } from './schema-work.ts'

/** The work units for one check by a plugin's schema: enough for the longest list that a skill may return. */
const mostOfPlugin: Work = 50_000_000
/** For values with more characters, only the first fault is reported. */
const longestTold = 100_000

/**
 * The format of an integer of 64 bits in decimal digits. It is sent as a JSON number without losing
 * digits.
 */
export const int64Format = 'int64-string'
/** The same for an integer of any size. */
export const integerFormat = 'integer-string'

export function isIntegerText(format: Json | undefined): boolean {
  return format === int64Format || format === integerFormat
}

function validator(options: Options): Ajv2020 {
  const { Ajv2020 } = ajv2020()
  const ajv = new Ajv2020({
    ...options,
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allowUnionTypes: true,
    // To optimize the code takes up to five times as long as to make it, and checks are not faster.
    code: { optimize: false, regExp: safeRegExp },
  })
  ajvFormats().default(ajv)
  for (const [name, format] of Object.entries(ajv.formats)) if (format) ajv.addFormat(name, boundedFormat(name, format))
  ajv.removeKeyword('uniqueItems')
  ajv.addKeyword(uniqueItems)
  ajv.addKeyword({ keyword: 'x-semantic', metaSchema: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] } })
  // For generated playbooks. x-risk: what the values of an output mean for an investigation.
  // x-suggested: a value for an input other than the observable. x-queries: the query for each kind of
  // observable.
  ajv.addKeyword({
    keyword: 'x-risk',
    metaSchema: { type: 'object', propertyNames: { enum: [...risks] }, additionalProperties: { type: 'array', minItems: 1 } },
  })
  ajv.addKeyword('x-suggested')
  ajv.addKeyword(endKeyword)
  ajv.addKeyword(orderKeyword)
  ajv.addKeyword({ keyword: 'x-queries', metaSchema: { type: 'object', additionalProperties: { type: 'string' } } })
  ajv.addFormat(int64Format, (text: string) => {
    if (!/^-?(0|[1-9][0-9]{0,18})$/.test(text)) return false
    const value = BigInt(text)
    return value === BigInt.asIntN(64, value)
  })
  ajv.addFormat(integerFormat, /^-?(0|[1-9][0-9]{0,99})$/)
  for (const [name, { fits }] of Object.entries(textFormats)) ajv.addFormat(name, safeFormat(fits))
  return ajv
}

/** A validator takes tens of milliseconds to make, and most processes need only some of them. */
const thorough = onDemand(() => validator({ allErrors: true, useDefaults: true }))
/**
 * Stops at the first fault, so its cost does not grow with the number of faults. Does not change
 * the value.
 */
const quick = onDemand(() => validator({ allErrors: false, useDefaults: false }))

/** For schemas that tenants write. Inlined references would generate the code of a definition once for each reference to it. */
const foreign = onDemand(() => {
  const made = validator({ allErrors: false, useDefaults: false, inlineRefs: false })
  addWork(made, pay)
  return made
})

/** Returns the keywords and the formats that a schema may name. */
export function keywordsAndFormats(): { readonly keywords: readonly string[]; readonly formats: readonly string[] } {
  const { RULES, formats } = quick()
  return { keywords: Object.keys(RULES.keywords), formats: Object.keys(formats) }
}

type Schema = { readonly [key: string]: Json }

/** One fault in a value. */
export interface SchemaFault {
  /** The path of the field. */
  readonly path: readonly string[]
  /** The JSON Schema keyword that the value breaks. */
  readonly keyword: string
  /** The message, which names the field. */
  readonly message: string
}

/** A compiled JSON Schema of a skill's input or output. */
export interface ValueSchema {
  /** Returns the faults of a value, each with its field and keyword. Empty if the value fits. */
  details(value: Json): readonly SchemaFault[]
  /** Returns a message for each fault, which names its field. Empty if the value fits. */
  faults(value: Json): readonly string[]
  /** Returns a copy of the value with the schema's defaults filled in. */
  complete(value: Json): Json
}

/**
 * When a schema is compiled. Compiling takes milliseconds. `when used` is only for schemas that have
 * been compiled before: an error would come in the middle of a run.
 */
export type Compiling = 'now' | 'when used'

/** @throws Error if the schema itself is invalid. The message says why */
export function compileSchema(schema: Schema, compiling: Compiling = 'now'): ValueSchema {
  const check = onDemand(() => compile(thorough(), schema))
  if (compiling === 'now') check()
  const first = onDemand(() => compileFirstFault(schema))
  const hasDefaults = JSON.stringify(schema).includes('"default"')
  const details = (value: Json): readonly SchemaFault[] => {
    // A long list may have a fault in every item, so report only the first.
    if (!longerThan(value, longestTold)) return faultsOf(check(), value)
    const fault = first()(value)
    return fault === null ? [] : [fault]
  }
  return {
    details,
    faults: (value) => details(value).map(({ message }) => message),
    complete: (value) => {
      if (!hasDefaults) return value
      const copy = structuredClone(value)
      faultsOf(check(), copy)
      return copy
    },
  }
}

/**
 * Compiles a schema into a check that returns the first fault, or null.
 * @throws Error if the schema itself is invalid. The message says why
 */
export function compileFirstFault(schema: Schema, compiling: Compiling = 'now'): (value: Json) => SchemaFault | null {
  const check = onDemand(() => compile(quick(), schema))
  if (compiling === 'now') check()
  return (value) => faultsOf(check(), value)[0] ?? null
}

/**
 * Like `compileFirstFault`, for a schema that a tenant wrote. Checking a value against a subschema
 * costs work units, like a step of a condition.
 * @throws Error if the schema is invalid or too large. The message says why
 */
export function compileForeignSchema(schema: Schema): (value: Json) => SchemaFault | null {
  const check = compile(foreign(), withWork(schema))
  return (value) => faultsOf(check, value, mostWork)[0] ?? null
}

/** Returns the faults of a value. A check that takes too much work is a fault too. */
function faultsOf(check: ValidateFunction, value: Json, most: Work = mostOfPlugin): readonly SchemaFault[] {
  try {
    return paidFor(() => (check(value) ? [] : faultsIn(check)), most)
  } catch (error) {
    if (error instanceof WorkExceeded) return [{ path: [], keyword: 'work', message: 'the value takes too much work to check' }]
    // The stack overflowed: definitions refer to each other in a circle.
    if (error instanceof RangeError) return [{ path: [], keyword: '$ref', message: 'the schema refers to itself endlessly' }]
    throw error
  }
}

function faultsIn({ errors, schema }: ValidateFunction): readonly SchemaFault[] {
  return (errors ?? []).filter(({ keyword }) => keyword !== 'if').map((error) => ({ ...placeOf(error), message: faultOf(error, schema) }))
}

/** Makes a value when it is first needed, and keeps it. */
export function onDemand<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

function compile(ajv: Ajv2020, schema: Schema): ValidateFunction {
  try {
    return ajv.compile(schema)
  } catch (error) {
    if (error instanceof RangeError) throw new Error('the schema refers to itself endlessly', { cause: error })
    throw new Error(messageOf(error).replace(/^(strict mode|schema is invalid): /, ''), { cause: error })
  } finally {
    // Ajv would keep every schema that it has ever seen.
    ajv.removeSchema(schema)
  }
}

function placeOf({ instancePath, keyword, params }: ErrorObject): Omit<SchemaFault, 'message'> {
  const { additionalProperty, missingProperty } = params as Readonly<Record<string, unknown>>
  const last = keyword === 'required' ? missingProperty : keyword === 'additionalProperties' ? additionalProperty : undefined
  return { keyword, path: last === undefined ? partsOf(instancePath) : [...partsOf(instancePath), String(last)] }
}
