import { isDeepStrictEqual } from 'node:util'
import { isObject, type Json } from '../domain/index.ts'

/** A place where a value is not as expected. */
export interface Difference {
  /** The path from the root of the value. */
  readonly path: readonly (string | number)[]
  readonly expected: Json
  /** Undefined if nothing is there. */
  readonly actual: Json | undefined
}

/**
 * Returns the expected part of a text, from `{ contains: … }`. In an object, `contains` is an
 * ordinary member.
 */
function partOf(expected: Json, actual: Json | undefined): string | null {
  if (!isObject(expected) || typeof actual !== 'string' || Object.keys(expected).length !== 1) return null
  return typeof expected['contains'] === 'string' ? expected['contains'] : null
}

/**
 * Finds where a value differs from the expected one. An object may have more members than expected,
 * at any depth. A list must have the same length, and its items are compared one by one. For a
 * text, `{ contains: … }` expects a part.
 */
export function differences(expected: Json, actual: Json | undefined, path: readonly (string | number)[] = []): readonly Difference[] {
  if (isObject(expected) && isObject(actual)) {
    return Object.entries(expected).flatMap(([key, value]) =>
      differences(value, Object.hasOwn(actual, key) ? actual[key] : undefined, [...path, key]),
    )
  }
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    return (expected as readonly Json[]).flatMap((value, index) => differences(value, (actual as readonly Json[])[index], [...path, index]))
  }
  const part = partOf(expected, actual)
  const isSame = part === null ? isDeepStrictEqual(expected, actual) : String(actual).includes(part)
  return isSame ? [] : [{ path, expected, actual }]
}

export function isSubset(expected: Json, actual: Json | undefined): boolean {
  return differences(expected, actual).length === 0
}
