import type { Json } from '../../../domain/index.ts'
import type { DocumentPath } from '../../../yaml/index.ts'

/** One string of a value, and its path in the file. */
export interface FoundString {
  readonly text: string
  readonly path: DocumentPath
}

/** Yields every string of a value, at any depth. Skips keys. */
export function* stringsIn(value: Json | undefined, path: DocumentPath): Generator<FoundString> {
  if (typeof value === 'string') yield { text: value, path }
  if (typeof value !== 'object' || value === null) return
  const entries = Array.isArray(value) ? [...(value as readonly Json[]).entries()] : Object.entries(value as Readonly<Record<string, Json>>)
  for (const [key, item] of entries) yield* stringsIn(item, [...path, key])
}
