import { Output } from 'liquidjs'
import type { Json } from '../../domain/index.ts'
import type { DocumentPath } from '../../yaml/index.ts'
import type { Filters } from '../filters/index.ts'
import { isTemplate, noFilters, parsedTemplate } from '../template/index.ts'
import { type Fallback, Reader, signaturesOf, Values } from './liquid/index.ts'
import { any, boundedly, type Environment, isNever, never, objectOf, present, type Type, text, typeOfValue, union } from './model/index.ts'
import type { Problem } from './problem.ts'

/** The type of a value or a rule, and its problems. */
export interface Typed {
  readonly type: Type
  readonly problems: readonly Problem[]
}

/** The default that a string of one output ends with. It becomes the value, if there is no other. */
interface PlacedFallback extends Fallback {
  /** The path from the checked value to the string. */
  readonly at: DocumentPath
}

export interface TypedTemplate extends Typed {
  readonly fallbacks: readonly PlacedFallback[]
}

/**
 * Returns the type of a YAML value with templates, as `compileValue` renders it. A string that does not parse has any type and no problems,
 * because its compilation reports what is wrong.
 * @param filters quoting filters by name. Pass the same object for all values of one document
 */
export function typeOfTemplate(value: Json, environment: Environment, filters: Filters = noFilters): TypedTemplate {
  return boundedly(() => typed(value, environment, filters), { type: any, problems: [], fallbacks: [] })
}

function typed(value: Json, environment: Environment, filters: Filters): TypedTemplate {
  const problems: Problem[] = []
  const fallbacks: PlacedFallback[] = []
  const read = (part: Json, at: DocumentPath): Type => {
    if (typeof part === 'string') return isTemplate(part) ? typeOfString(part, at, environment, filters, { problems, fallbacks }) : typeOfValue(part)
    if (typeof part !== 'object' || part === null) return typeOfValue(part)
    if (Array.isArray(part)) return listType((part as readonly Json[]).map((item, index) => read(item, [...at, index])))
    return objectOf(Object.fromEntries(Object.entries(part as Readonly<Record<string, Json>>).map(([key, item]) => [key, read(item, [...at, key])])))
  }
  return { type: read(value, []), problems, fallbacks }
}

/** Returns the type of a list. Missing items are left out. */
function listType(items: readonly Type[]): Type {
  const there = items.filter((item) => !isNever(item)).map(present)
  return { ...never, list: { items: there.reduce(union, never), least: items.filter(({ absence }) => absence === 'no').length } }
}

interface Found {
  readonly problems: Problem[]
  readonly fallbacks: PlacedFallback[]
}

function typeOfString(source: string, at: DocumentPath, environment: Environment, filters: Filters, { problems, fallbacks }: Found): Type {
  const parsed = parsedTemplate(source, filters)
  if (parsed === null) return any
  const values = new Values(environment, signaturesOf(filters), at)
  const reader = new Reader(values)
  const [only] = parsed
  let type = text
  if (parsed.length === 1 && only instanceof Output) {
    type = reader.whole(only)
    if (reader.fallback !== null) fallbacks.push({ ...reader.fallback, at })
  } else reader.inText(parsed)
  problems.push(...values.problems)
  return type
}
