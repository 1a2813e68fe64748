import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import { type TextFormatName, textFormats } from '../../formats/index.ts'
import { sizeFault } from '../../schema/index.ts'
import { orderKeyword } from './order.ts'

/** Returns the parts of a JSON pointer. */
export function partsOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/**
 * Says what is wrong with a value, for whoever gave it. Names the field.
 * @param schema the whole schema, to name the members that may be given
 */
export function faultOf(error: ErrorObject, schema: ValidateFunction['schema']): string {
  const path = partsOf(error.instancePath)
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
      const name = String(params['format'])
      const format = Object.hasOwn(textFormats, name) ? textFormats[name as TextFormatName] : null
      return `${field() || 'the value'} ${format ? `must be ${format.means}` : error.message}`
    }
    case orderKeyword.keyword:
      return error.message ?? ''
    case 'false schema':
      return `${field()} is not allowed together with the other values`
    default:
      return `${field() || 'the value'} ${sizeFaultOf(error, schema) ?? error.message ?? 'does not fit'}`
  }
}

/** Says how large a value must be. Null if its size is not the fault. */
function sizeFaultOf({ keyword, params, instancePath }: ErrorObject, schema: ValidateFunction['schema']): string | null {
  const limit = Number((params as Readonly<Record<string, unknown>>)['limit'])
  const named =
    keyword === 'minProperties' && instancePath === '' && typeof schema === 'object'
      ? Object.keys((schema as { readonly properties?: object }).properties ?? {})
      : []
  return named.length > 1 ? `needs at least ${limit} of ${named.join(', ')}` : sizeFault(keyword, limit, 'member')
}
