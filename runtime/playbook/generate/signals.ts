import { isObject, type Json, type Risk, risks } from '../../domain/index.ts'

/** A value in an answer that its schema calls a risk (`x-risk`). */
export interface Signal {
  readonly risk: Exclude<Risk, 'info'>
  /** The path to the value in the answer. `[]` enters a list. */
  readonly path: readonly Part[]
  readonly values: readonly Json[]
}

/**
 * One part of a path: a key, or `[]` for each item of a list. `nullable` says that the value there
 * may be null.
 */
export interface Part {
  readonly key: string
  readonly nullable: boolean
}

/** The points of a signal, by its risk. */
export const points: Readonly<Record<Signal['risk'], number>> = { low: 5, medium: 20, high: 50, critical: 80 }

const maxDepth = 6
/** The most signals of one skill. With more, the important ones would go unnoticed. */
const maxSignals = 8

/** Returns the signals that a skill's output schema declares, highest risk first. */
export function signalsOf(output: Json | undefined): readonly Signal[] {
  const order = (signal: Signal): number => -risks.indexOf(signal.risk)
  return [...declared(output, [])].sort((a, b) => order(a) - order(b)).slice(0, maxSignals)
}

function* declared(schema: Json | undefined, path: readonly Part[]): Generator<Signal> {
  if (!isObject(schema) || path.length > maxDepth) return
  const { properties, items } = schema
  const meanings = schema['x-risk']
  for (const risk of risks) {
    const values = isObject(meanings) ? meanings[risk] : undefined
    if (risk !== 'info' && Array.isArray(values)) yield { risk, path, values: values as readonly Json[] }
  }
  for (const [key, inner] of Object.entries(isObject(properties) ? properties : {}))
    yield* declared(inner, [...path, { key, nullable: isNullable(inner) }])
  if (items !== undefined) yield* declared(items, [...path, { key: '[]', nullable: isNullable(items) }])
}

/** Returns whether a schema allows null. A schema without a type allows any value. */
function isNullable(schema: Json | undefined): boolean {
  const type = isObject(schema) ? schema['type'] : undefined
  return type === undefined
    ? !isObject(schema) || schema['enum'] === undefined
    : type === 'null' || (Array.isArray(type) && (type as readonly Json[]).includes('null'))
}

/** Returns the path as text: `issues[].severity`. */
export function pathName(path: readonly Part[]): string {
  return path.map(({ key }, index) => (key === '[]' ? '[]' : index === 0 ? key : `.${key}`)).join('')
}

/**
 * Returns a condition that is true if the answer contains the signal. Lists on the path need one
 * matching item.
 */
export function signalRule({ path, values }: Signal, answer: string): Json {
  return rule(path, values, answer)
}

function rule(path: readonly Part[], values: readonly Json[], root: string): Json {
  const list = path.findIndex(({ key }) => key === '[]')
  const before = list === -1 ? path : path.slice(0, list)
  const name = [root, ...before.map(({ key }) => key)].filter((part) => part !== '').join('.')
  if (list === -1) return { in: [{ var: [name, null] }, values as Json] }
  const items: Json = { var: [name, []] }
  const nullable = before.at(-1)?.nullable === true
  return { some: [nullable ? { or: [items, []] } : items, rule(path.slice(list + 1), values, '')] }
}
