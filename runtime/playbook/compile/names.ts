import type { Json } from '../../domain/index.ts'
import type { DocumentPath } from '../../yaml/index.ts'

/** A step of a document that may not fit the schema, with where it stands and in which loops. */
export interface FoundStep {
  readonly step: Readonly<Record<string, Json>>
  readonly path: DocumentPath
  readonly loops: readonly string[]
}

/** The keys under which a step holds lists of steps. */
export const stepLists = ['then', 'else', 'steps', 'on_error'] as const

/** Every step of a document in its order, nested ones after the step that holds them. */
export function* findSteps(list: Json | undefined, path: DocumentPath, loops: readonly string[] = []): Generator<FoundStep> {
  if (!Array.isArray(list)) return
  for (const [index, step] of (list as readonly Json[]).entries()) {
    if (!isObject(step)) continue
    const at = [...path, index]
    yield { step, path: at, loops }
    for (const key of stepLists) {
      const inside = key === 'steps' && typeof step['id'] === 'string' ? [...loops, step['id']] : loops
      yield* findSteps(step[key], [...at, key], inside)
    }
  }
}

export function isObject(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function keysOf(value: Json | undefined): string[] {
  return isObject(value) ? Object.keys(value) : []
}
