import type { Json } from '../../domain/index.ts'
import type { InputShape } from '../grammar/index.ts'
import { fitsFormat } from './formats.ts'

const maxFaults = 20

/** What of a value does not fit an input's declaration, each naming the part; empty when it fits. */
export function shapeFaults(value: Json, shape: InputShape, at = ''): readonly string[] {
  const say = (message: string): string => (at === '' ? message : `${at} ${message}`)
  if (shape.type !== undefined && !hasType(value, shape.type)) return [say(`must be ${typeNames[shape.type]}`)]
  if (shape.enum !== undefined && !shape.enum.some((allowed) => JSON.stringify(allowed) === JSON.stringify(value))) {
    return [say(`must be one of ${shape.enum.map((allowed) => JSON.stringify(allowed)).join(', ')}`)]
  }
  if (shape.format !== undefined && typeof value === 'string' && !fitsFormat(shape.format, value)) return [say(`must look like ${shape.format}`)]
  if (shape.items === undefined || !Array.isArray(value)) return []
  const { items } = shape
  return (value as readonly Json[]).flatMap((item, index) => shapeFaults(item, items, `${at}[${index}]`)).slice(0, maxFaults)
}

const typeNames: Readonly<Record<NonNullable<InputShape['type']>, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

function hasType(value: Json, type: NonNullable<InputShape['type']>): boolean {
  switch (type) {
    case 'integer':
      // Beyond 2^53 JSON is read as the text of its digits.
      return Number.isSafeInteger(value) || (typeof value === 'string' && /^-?\d{16,}$/.test(value))
    case 'array':
      return Array.isArray(value)
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    default:
      return typeof value === type
  }
}
