import { isObject, type Json } from '../../../domain/index.ts'
import type { DocumentPath } from '../../../yaml/index.ts'
import { nestedLists } from '../../grammar/index.ts'

/** A step of a document that may not fit the schema, with where it stands and in which loops. */
export interface FoundStep {
  readonly step: Readonly<Record<string, Json>>
  readonly path: DocumentPath
  readonly loops: readonly string[]
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
