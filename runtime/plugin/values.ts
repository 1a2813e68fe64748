import type { Json } from '../domain/index.ts'

/**
 * Returns the value at a dotted path. Follows own properties and list indexes only. Undefined if
 * any part is missing.
 */
export function valueAt(value: Json, path: string): Json | undefined {
  let found: Json | undefined = value
  for (const part of path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, part)) return undefined
    found = (found as Readonly<Record<string, Json>>)[part]
  }
  return found
}
