import type { ErrorObject } from 'ajv'
import { sizeFault, type TSchema } from '../../schema/index.ts'

/** Returns the name of the field that has the fault, with those around it: `alerts.3.alert_type`. Empty: the whole value. */
export function fieldOf(error: ErrorObject): string {
  const path = error.instancePath === '' ? [] : error.instancePath.slice(1).split('/').map(unescapePointer)
  const own = error.params['additionalProperty'] ?? error.params['missingProperty'] ?? error.params['propertyName']
  if (typeof own === 'string') path.push(own)
  return path.join('.').slice(0, 200).toWellFormed()
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}

const formatMessages: Readonly<Record<string, string>> = {
  text: 'must be valid Unicode text; it has half of a surrogate pair',
  said: 'must be valid Unicode text with a visible character',
  line: 'must be one line of text with a visible character, and without control characters and line separators',
  pointer: 'must be a JSON pointer, such as /event/id',
}

/** Returns what is wrong with a field, as its sender is told. */
export function messageOf(error: ErrorObject, schema: TSchema): string {
  switch (error.keyword) {
    case 'additionalProperties': {
      const known = error.instancePath === '' && 'properties' in schema ? Object.keys(schema.properties as object) : []
      return known.length === 0 ? 'is not known here' : `is not known here; the fields are ${known.join(', ')}`
    }
    case 'required':
      return 'is required'
    case 'type':
      return `must be ${String(error.params['type']).replace(',', ' or ')}`
    case 'enum':
      return `must be one of ${(error.params['allowedValues'] as readonly unknown[]).join(', ')}`
    case 'anyOf':
      return 'has none of the allowed forms'
    case 'format':
      return formatMessages[String(error.params['format'])] ?? 'has the wrong format'
    case 'minimum':
      return `must be at least ${error.params['limit']}`
    case 'maximum':
      return `must be at most ${error.params['limit']}`
    case 'uniqueItems':
      return 'has the same item twice'
    default:
      return sizeFault(error.keyword, Number(error.params['limit']), 'field') ?? error.message ?? 'is not allowed'
  }
}
