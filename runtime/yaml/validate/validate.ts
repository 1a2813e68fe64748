import type { Json } from '../../domain/index.ts'
import type { ErrorPlace } from '../../errors/index.ts'
import type { DocumentPath, Locator } from '../document.ts'
import { describe, type Fault } from './faults.ts'
import type { Check } from './schema.ts'

/**
 * What of a value does not fit a schema, each with its field path, line and column; an unknown key with the nearest right name.
 * Empty when it fits. In order of the file.
 */
export function validate(check: Check<unknown>, value: Json, locate: Locator['locate']): readonly ErrorPlace[] {
  return inFileOrder(faultsOf(check, value).map(({ path, message, part }) => placeAt(locate, path, message, part)))
}

/** The same without places, for who goes on with what does fit. */
export function faultsOf(check: Check<unknown>, value: Json): readonly Fault[] {
  return check(value) ? [] : describe(check.errors ?? [])
}

export function inFileOrder(places: readonly ErrorPlace[]): readonly ErrorPlace[] {
  return [...places].sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0))
}

/** A place of an error: the field's dotted path, and where it stands. */
export function placeAt(locate: Locator['locate'], path: DocumentPath, message: string, part: 'value' | 'key' = 'value'): ErrorPlace {
  return { field: path.join('.'), message, ...locate(path, part) }
}
