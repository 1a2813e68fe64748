import { isObject, type Json } from '../../../domain/index.ts'
import type { DocumentPath } from '../../../yaml/index.ts'
import { nestedLists } from '../../grammar/index.ts'

/** A step of a document, its path, and the loops around it. It need not fit the schema. */
export interface FoundStep {
  readonly step: Readonly<Record<string, Json>>
  readonly path: DocumentPath
  readonly loops: readonly string[]
}

/** Yields every step of a document in order, each before the steps nested in it. */
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

/** Returns the keys of an object. Of anything else, there are none. */
export function keysOf(value: Json | undefined): string[] {
  return isObject(value) ? Object.keys(value) : []
}
