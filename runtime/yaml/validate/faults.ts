import type { ErrorObject } from 'ajv/dist/2020.js'
import { hint, type Misspelling, misspelling } from './nearest.ts'

/** What kind of mistake it is. */
export type FaultCode = 'key_unknown' | 'key_missing' | 'name_invalid' | 'value_invalid'

export interface Fault {
  readonly code: FaultCode
  readonly path: readonly string[]
  readonly part: 'value' | 'key'
  readonly message: string
  /** For an unknown key or word: the name that was meant. */
  readonly misspelt?: Misspelling
}

/** The most faults reported for one document. Nobody reads more. */
export const mostFaults = 500

/**
 * Returns the first 500 errors of Ajv in plain words. For a choice (`anyOf`), only the alternative that was
 * most likely meant is reported.
 */
export function describe(errors: readonly ErrorObject[]): readonly Fault[] {
  // For an invalid name, report the rule that it breaks, and not that there is a rule for names.
  const reduced = reduce(errors.filter(({ keyword }) => keyword !== 'if' && keyword !== 'propertyNames'))
  // If a list of allowed values failed, the type error adds nothing. If a value is not a mapping, the second alternative repeats the first.
  const chosen = new Set(reduced.filter(({ keyword }) => keyword === 'const' || keyword === 'enum').map(({ parentSchema }) => parentSchema))
  const first = new Map(reduced.toReversed().map((error) => [`${error.keyword} ${error.instancePath}`, error]))
  const kept = reduced.filter(
    (error) => error.keyword !== 'type' || (!chosen.has(error.parentSchema) && first.get(`type ${error.instancePath}`) === error),
  )
  const told = new Map<string, Fault>()
  for (const error of kept) {
    const fault = faultOf(error)
    const key = `${fault.path.join('/')}|${fault.message}`
    if (!told.has(key)) told.set(key, fault)
    if (told.size >= mostFaults) break
  }
  return [...told.values()]
}

/**
 * Ajv reports every alternative of a failed choice, and then the choice itself. If one alternative has the right type, keep its faults
 * and drop the others. If none has, keep the choice only.
 */
function reduce(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const kept: ErrorObject[] = []
  for (const error of errors) {
    if (error.keyword !== 'anyOf' && error.keyword !== 'oneOf') {
      kept.push(error)
      continue
    }
    const at = error.instancePath
    // The faults of the alternatives come right before the choice.
    const own = kept.splice(kept.findLastIndex((other) => !isWithin(other.instancePath, at)) + 1)
    const [wrongType, others] = [own.filter((other) => isOfType(other, at)), own.filter((other) => !isOfType(other, at))]
    if (others.length === 0) kept.push({ ...error, params: { ...error.params, alternatives: wrongType } })
    for (const other of others) kept.push(other)
  }
  return kept
}

/** Returns whether an alternative at this path failed because the value has another type. */
function isOfType({ instancePath, keyword }: ErrorObject, at: string): boolean {
  return instancePath === at && ['type', 'const', 'enum'].includes(keyword)
}

function isWithin(path: string, ancestor: string): boolean {
  return path === ancestor || path.startsWith(`${ancestor}/`)
}

function faultOf(error: ErrorObject): Fault {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  const params = error.params as Readonly<Record<string, unknown>>
  const own = (error.parentSchema as Readonly<Record<string, unknown>> | undefined)?.['x-fault']
  if (error.keyword === 'additionalProperties' || error.keyword === 'unevaluatedProperties') {
    const key = String(params['additionalProperty'] ?? params['unevaluatedProperty'])
    const known = Object.keys((error.parentSchema as { readonly properties?: object } | undefined)?.properties ?? {})
    const near = hint(key, known)
    const message = near === '' ? `\`${key}\` is not a key here; the keys are ${known.join(', ')}` : `\`${key}\` is not a key here${near}`
    return { code: 'key_unknown', path: [...path, key], part: 'key', message, ...misspelling(key, known) }
  }
  if (error.keyword === 'required') {
    const key = String(params['missingProperty'])
    return { code: 'key_missing', path: [...path, key], part: 'value', message: `\`${key}\` is missing` }
  }
  // A duration that is too long is still a duration. "Not a duration" would mislead.
  const message = typeof own === 'string' && error.keyword !== 'x-longest' ? own : plain(error, params)
  if (error.propertyName !== undefined) return { code: 'name_invalid', path: [...path, error.propertyName], part: 'key', message }
  return { code: 'value_invalid', path, part: 'value', message, ...(error.keyword === 'enum' && wordMeant(error, params)) }
}

function wordMeant(error: ErrorObject, params: Readonly<Record<string, unknown>>): Pick<Fault, 'misspelt'> {
  const { data } = error
  return typeof data === 'string' ? misspelling(data, (params['allowedValues'] as readonly unknown[]).map(String)) : {}
}

function plain(error: ErrorObject, params: Readonly<Record<string, unknown>>): string {
  switch (error.keyword) {
    case 'type':
      return `must be ${typeName(params['type'])}${params['type'] === 'object' ? keysOf(error) : ''}`
    case 'const':
      return `must be ${show(params['allowedValue'])}`
    case 'enum': {
      const allowed = params['allowedValues'] as readonly unknown[]
      const near = typeof error.data === 'string' ? hint(error.data, allowed.map(String)) : ''
      return `must be one of ${allowed.map(show).join(', ')}${near}`
    }
    case 'anyOf':
    case 'oneOf':
      return choice(params['alternatives'] as readonly ErrorObject[] | undefined)
    case 'x-longest':
      return `must be ${String(error.schema)} at most`
    case 'format':
      return `must be ${/^[aeiou]/.test(String(params['format'])) ? 'an' : 'a'} ${String(params['format'])}`
    case 'minItems':
    case 'minProperties':
    case 'minLength':
      return params['limit'] === 1 ? 'must not be empty' : (error.message ?? 'is too short')
    default:
      return error.message ?? `breaks the rule \`${error.keyword}\``
  }
}

/** Returns the keys of a mapping that has these and no others. */
function keysOf({ parentSchema }: ErrorObject): string {
  const { properties, additionalProperties } = (parentSchema ?? {}) as { readonly properties?: object; readonly additionalProperties?: unknown }
  const keys = additionalProperties === false ? Object.keys(properties ?? {}) : []
  return keys.length === 0 ? '' : `; its ${keys.length === 1 ? 'key is' : 'keys are'} ${keys.join(', ')}`
}

function choice(alternatives: readonly ErrorObject[] = []): string {
  const words = alternatives.flatMap((error) => {
    const params = error.params as Readonly<Record<string, unknown>>
    if (error.keyword === 'const') return [show(params['allowedValue'])]
    if (error.keyword === 'enum') return (params['allowedValues'] as readonly unknown[]).map(show)
    // Beside a const or enum, the type adds nothing.
    const schema = error.parentSchema as Readonly<Record<string, unknown>> | undefined
    return schema?.['const'] !== undefined || schema?.['enum'] !== undefined ? [] : [typeName(params['type'])]
  })
  const unique = [...new Set(words)]
  return unique.length === 0 ? 'fits none of the forms that are allowed here' : `must be ${unique.join(' or ')}`
}

function typeName(type: unknown): string {
  const names: Readonly<Record<string, string>> = {
    object: 'a mapping',
    array: 'a list',
    string: 'a string',
    integer: 'an integer',
    number: 'a number',
    boolean: 'true or false',
    null: 'null',
  }
  return (Array.isArray(type) ? type : [type]).map((name) => names[String(name)] ?? String(name)).join(' or ')
}

function show(value: unknown): string {
  return typeof value === 'string' ? `\`${value}\`` : JSON.stringify(value)
}
