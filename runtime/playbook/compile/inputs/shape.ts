import { isLongInteger, type Json, longerThan } from '../../../domain/index.ts'
import { fitsFormat } from '../../../formats/index.ts'
import type { InputShape } from '../../grammar/index.ts'

const maxFaults = 20

/** Returns why a value does not fit an input's declaration, with the place of each fault. At most twenty. Empty if it fits. */
export function shapeFaults(value: Json, shape: InputShape, at = ''): readonly string[] {
  const say = (message: string): string => (at === '' ? message : `${at} ${message}`)
  if (shape.type !== undefined && !hasType(value, shape.type)) return [say(`must be ${typeNames[shape.type]}`)]
  if (shape.enum !== undefined && !isAmong(value, shape.enum))
    return [say(`must be one of ${shape.enum.map((allowed) => JSON.stringify(allowed)).join(', ')}`)]
  if (shape.format !== undefined && typeof value === 'string' && !fitsFormat(shape.format, value)) return [say(`must look like ${shape.format}`)]
  if (shape.items === undefined || !Array.isArray(value)) return []
  const faults: string[] = []
  for (const [index, item] of (value as readonly Json[]).entries()) {
    if (faults.length >= maxFaults) break
    faults.push(...shapeFaults(item, shape.items, `${at}[${index}]`))
  }
  return faults.slice(0, maxFaults)
}

/** Caches the JSON of allowed values, and the length of the longest: one list is used to check many values. */
const known = new WeakMap<readonly Json[], { readonly texts: ReadonlySet<string>; readonly longest: number }>()

function isAmong(value: Json, allowed: readonly Json[]): boolean {
  let among = known.get(allowed)
  if (!among) {
    const texts = new Set(allowed.map((one) => JSON.stringify(one)))
    among = { texts, longest: Math.max(...[...texts].map(({ length }) => length)) }
    known.set(allowed, among)
  }
  return !longerThan(value, among.longest) && among.texts.has(JSON.stringify(value))
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
      return Number.isSafeInteger(value) || isLongInteger(value)
    case 'number':
      return typeof value === 'number' || isLongInteger(value)
    case 'array':
      return Array.isArray(value)
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    default:
      return typeof value === type
  }
}
