import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { type Json, risks } from '../domain/index.ts'
import { messageOf } from '../errors/index.ts'
import { networkFormats } from './network-formats.ts'

/** Decimal digits of an integer of 64 bits; goes out as a JSON number (decision: JSON is lossless). */
export const int64Format = 'int64-string'
/** The same for an integer of any size. */
export const integerFormat = 'integer-string'

export function isIntegerText(format: Json | undefined): boolean {
  return format === int64Format || format === integerFormat
}

const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false, strictRequired: false, allowUnionTypes: true, useDefaults: true })
formats.default(ajv)
ajv.addKeyword({ keyword: 'x-semantic', metaSchema: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] } })
// For generated playbooks: what values of an output mean for an investigation, what an input is given besides the observable, and by kind of
// observable the query that asks for one.
ajv.addKeyword({
  keyword: 'x-risk',
  metaSchema: { type: 'object', propertyNames: { enum: [...risks] }, additionalProperties: { type: 'array', minItems: 1 } },
})
ajv.addKeyword('x-suggested')
ajv.addKeyword({ keyword: 'x-queries', metaSchema: { type: 'object', additionalProperties: { type: 'string' } } })
ajv.addFormat(int64Format, (text: string) => {
  if (!/^-?(0|[1-9][0-9]{0,18})$/.test(text)) return false
  const value = BigInt(text)
  return value === BigInt.asIntN(64, value)
})
ajv.addFormat(integerFormat, /^-?(0|[1-9][0-9]{0,99})$/)
for (const [name, { fits }] of Object.entries(networkFormats)) ajv.addFormat(name, fits)

/** A compiled JSON Schema of a skill's input or output. */
export interface ValueSchema {
  /** What does not fit, each naming its field; empty when it fits. */
  faults(value: Json): readonly string[]
  /** The value with the schema's defaults filled in; the value itself is left alone. */
  complete(value: Json): Json
}

/** @throws Error when the schema itself is not valid; the message says why */
export function compileSchema(schema: { readonly [key: string]: Json }): ValueSchema {
  const check = compile(schema)
  const hasDefaults = JSON.stringify(schema).includes('"default"')
  return {
    faults: (value) => (check(value) ? [] : (check.errors ?? []).filter((error) => error.keyword !== 'if').map(faultOf)),
    complete: (value) => {
      if (!hasDefaults) return value
      const copy = structuredClone(value)
      check(copy)
      return copy
    },
  }
}

function compile(schema: object): ValidateFunction {
  try {
    return ajv.compile(schema)
  } catch (error) {
    throw new Error(messageOf(error).replace(/^(strict mode|schema is invalid): /, ''), { cause: error })
  } finally {
    // Ajv would keep every schema it has ever seen.
    ajv.removeSchema(schema)
  }
}

function faultOf(error: ErrorObject): string {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  const params = error.params as Readonly<Record<string, unknown>>
  const field = (...more: readonly unknown[]): string => [...path, ...more].join('.')
  switch (error.keyword) {
    case 'required':
      return `${field(params['missingProperty'])} is missing`
    case 'dependentRequired':
      return `${field(params['property'])} needs ${String(params['missingProperty'])} too`
    case 'additionalProperties':
      return `${field(params['additionalProperty'])} is unknown`
    case 'enum':
      return `${field()} must be one of ${(params['allowedValues'] as readonly unknown[]).map((value) => JSON.stringify(value)).join(', ')}`
    case 'const':
      return `${field()} must be ${JSON.stringify(params['allowedValue'])}`
    case 'format': {
      const format = networkFormats[String(params['format'])]
      return `${field()} ${format ? `must be ${format.means}` : error.message}`
    }
    case 'false schema':
      return `${field()} does not belong to the other values`
    default:
      return `${field() || 'the value'} ${error.message ?? 'does not fit'}`
  }
}
