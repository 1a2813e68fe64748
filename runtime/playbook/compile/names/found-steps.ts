import { isObject, type Json } from '../../../domain/index.ts'
import type { DocumentPath } from '../../../yaml/index.ts'

/** A step of a document that may not fit the schema, with where it stands and in which loops. */
export interface FoundStep {
  readonly step: Readonly<Record<string, Json>>
  readonly path: DocumentPath
  readonly loops: readonly string[]
}

/** A list of steps in a step. */
export interface NestedList {
  /** From the step. */
  readonly path: DocumentPath
  readonly list: Json
  /** Whether its steps run once an item, and belong to their iteration. */
  readonly loop: boolean
}

/** The lists of steps that a step holds, whatever kind it is or was meant to be. */
export function nestedLists(step: Readonly<Record<string, Json>>): readonly NestedList[] {
  const found: NestedList[] = []
  const add = (list: Json | undefined, ...path: DocumentPath): void => {
    if (list !== undefined) found.push({ path, list, loop: path[0] === 'steps' })
  }
  for (const key of ['then', 'else', 'steps']) add(step[key], key)
  const cases = step['switch']
  if (Array.isArray(cases))
    for (const [index, one] of (cases as readonly Json[]).entries()) if (isObject(one)) add(one['steps'], 'switch', index, 'steps')
  const branches = isObject(step['parallel']) ? step['parallel']['branches'] : undefined
  for (const name of keysOf(branches)) add((branches as Readonly<Record<string, Json>>)[name], 'parallel', 'branches', name)
  add(step['on_error'], 'on_error')
  return found
}

/** Whether a path from a step leads into one of its lists of steps, and not only to it. */
export function intoNested(path: readonly string[]): boolean {
  const [first = '', second, third] = path
  if (['then', 'else', 'steps', 'on_error'].includes(first)) return path.length > 1
  if (first === 'switch') return third === 'steps' && path.length > 3
  return first === 'parallel' && second === 'branches' && path.length > 3
}

/** Every step of a document in its order, nested ones after the step that holds them. */
export function* findSteps(list: Json | undefined, path: DocumentPath, loops: readonly string[] = []): Generator<FoundStep> {
  if (!Array.isArray(list)) return
  for (const [index, step] of (list as readonly Json[]).entries()) {
    if (!isObject(step)) continue
    const at = [...path, index]
    yield { step, path: at, loops }
    for (const { path: inner, list: nested, loop } of nestedLists(step)) {
      yield* findSteps(nested, [...at, ...inner], loop && typeof step['id'] === 'string' ? [...loops, step['id']] : loops)
    }
  }
}

export function keysOf(value: Json | undefined): string[] {
  return isObject(value) ? Object.keys(value) : []
}
