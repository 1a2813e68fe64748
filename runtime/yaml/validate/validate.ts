import type { Json } from '../../domain/index.ts'
import type { ErrorPlace } from '../../errors/index.ts'
import type { DocumentPath, Locator } from '../document.ts'
import { describe, type Fault } from './faults.ts'
import type { Check } from './schema.ts'

/**
 * Finds what does not fit a schema, each with field path, line and column, in the order of the file. For an unknown key it names the
 * nearest known one. Empty: the value fits.
 */
export function validate(check: Check<unknown>, value: Json, locate: Locator['locate']): readonly ErrorPlace[] {
  return inFileOrder(faultsOf(check, value).map(({ path, message, part }) => placeAt(locate, path, message, part)))
}

/** Returns the same without places, for callers that go on with the parts that fit. */
export function faultsOf(check: Check<unknown>, value: Json): readonly Fault[] {
  return check(value) ? [] : describe(check.errors ?? [])
}

/** Sorts places by line and column. */
export function inFileOrder<Place extends Pick<ErrorPlace, 'line' | 'column'>>(places: readonly Place[]): readonly Place[] {
  return [...places].sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0))
}

/** Returns the place of an error: the dotted path of the field, with line and column. */
export function placeAt(locate: Locator['locate'], path: DocumentPath, message: string, part: 'value' | 'key' = 'value'): ErrorPlace {
  return { field: path.join('.'), message, ...locate(path, part) }
}
