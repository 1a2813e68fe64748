import { isObject, type Json } from '../../domain/index.ts'
import { messageOf } from '../../errors/index.ts'
import { compilePattern } from '../../expressions/index.ts'
import { type DocumentPath, hint } from '../../yaml/index.ts'
import { keywordsAndFormats } from './schema.ts'
import { hasType, schemasIn, typeNames } from './schema-parts.ts'

type Schema = { readonly [key: string]: Json }

/** A mistake in a schema, with its place in the schema. */
export interface SchemaMistake {
  readonly path: DocumentPath
  readonly message: string
  /** Whether the name at the path is wrong, or its value. */
  readonly part: 'key' | 'value'
}

/**
 * Finds the mistakes in a schema that Ajv refuses to compile, because Ajv does not say where they are. Returns
 * nothing if the mistake is of another kind.
 */
export function schemaMistakes(schema: Schema): readonly SchemaMistake[] {
  const { keywords, formats } = keywordsAndFormats()
  const found: SchemaMistake[] = []
  for (const { path, part } of everyPart(schema)) {
    const add = (key: DocumentPath, message: string, wrong: SchemaMistake['part'] = 'value'): void => {
      found.push({ path: [...path, ...key], message, part: wrong })
    }
    if (typeof part === 'boolean') continue
    if (!isObject(part)) {
      add([], 'must be a schema: a mapping, `true` or `false`')
      continue
    }
    for (const key of Object.keys(part)) {
      if (!keywords.includes(key)) add([key], `\`${key}\` is not a keyword of JSON Schema${hint(key, keywords)}`, 'key')
    }
    for (const type of [part['type'] ?? []].flat()) {
      if (!typeNames.includes(String(type))) add(['type'], `there is no type \`${String(type)}\`${hint(String(type), typeNames)}`)
    }
    const { format, pattern, patternProperties, required, $ref } = part
    if (typeof format === 'string' && !formats.includes(format)) add(['format'], `there is no format \`${format}\`${hint(format, formats)}`)
    if (typeof pattern === 'string') addPattern(pattern, (message) => add(['pattern'], message))
    for (const name of Object.keys(isObject(patternProperties) ? patternProperties : {}))
      addPattern(name, (message) => add(['patternProperties', name], message, 'key'))
    if (required !== undefined && !(Array.isArray(required) && required.every((name) => typeof name === 'string')))
      add(['required'], 'must be a list of names, such as `[id]`')
    if (typeof $ref === 'string') {
      const fault = referenceFault(schema, $ref)
      if (fault !== null) add(['$ref'], fault)
    }
  }
  return found
}

/**
 * Finds parts that Ajv compiles and that no value fits: defaults that do not fit the type or the values of their own
 * schema, and references to themselves.
 */
export function deadParts(schema: Schema): readonly SchemaMistake[] {
  return [...everyPart(schema)].flatMap(({ path, part }): readonly SchemaMistake[] => {
    if (!isObject(part)) return []
    const { default: given, type, enum: values, $ref } = part
    const endless = typeof $ref === 'string' ? referenceFault(schema, $ref) : null
    if (endless !== null) return [{ path: [...path, '$ref'], part: 'value', message: endless }]
    if (given === undefined) return []
    const types = [type ?? []].flat().filter((one): one is string => typeof one === 'string')
    const at = { path: [...path, 'default'], part: 'value' as const }
    if (types.length > 0 && !types.some((one) => hasType(given, one))) return [{ ...at, message: `the default must be ${types.join(' or ')}` }]
    if (Array.isArray(values) && typeof given !== 'object' && !values.includes(given))
      return [{ ...at, message: `the default must be one of ${values.map((value) => JSON.stringify(value)).join(', ')}` }]
    return []
  })
}

function addPattern(source: string, add: (message: string) => void): void {
  try {
    compilePattern(source)
  } catch (error) {
    add(messageOf(error))
  }
}

/** Returns why a reference leads nowhere, or null. */
function referenceFault(schema: Schema, reference: string): string | null {
  const seen = new Set<string>()
  for (let next: Json | undefined = reference; typeof next === 'string'; ) {
    if (!next.startsWith('#')) return `\`${next}\` is another file; refer to a part of this schema, such as \`#/$defs/name\``
    if (seen.has(next)) return `\`${reference}\` leads back to itself, so it describes nothing`
    seen.add(next)
    const target = pointedAt(schema, next)
    if (target === undefined) return `the schema has nothing at \`${next}\``
    next = isObject(target) ? target['$ref'] : undefined
  }
  return null
}

function pointedAt(schema: Schema, reference: string): Json | undefined {
  const steps = reference.split('/').slice(1)
  let at: Json | undefined = schema
  for (const step of steps) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    at = isObject(at) && Object.hasOwn(at, name) ? at[name] : Array.isArray(at) ? (at as readonly Json[])[Number(name)] : undefined
  }
  return at
}

/** Goes through a schema and all schemas inside it. */
function* everyPart(part: Json, path: DocumentPath = []): Generator<{ readonly path: DocumentPath; readonly part: Json }> {
  yield { path, part }
  if (!isObject(part)) return
  for (const inside of schemasIn(part)) yield* everyPart(inside.part, [...path, ...inside.path])
}
