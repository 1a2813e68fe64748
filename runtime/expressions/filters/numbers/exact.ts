import { filters } from 'liquidjs'
import type { FilterFunction } from '../definition.ts'

/** Returns whether a text is an integer that a number cannot keep. Such a text is mostly an id. Rounded, it would be another id. */
export function isTooLong(text: string): boolean {
  return /^\s*[+-]?\d+\s*$/.test(text) && !Number.isSafeInteger(Number(text))
}

/** Checks a value that becomes a number. @throws if it is a text with more digits than a number can keep */
export function checkDigits(value: unknown): void {
  if (typeof value === 'string' && isTooLong(value))
    throw new Error(`${value.trim().slice(0, 40)} has more digits than a number can keep; leave it a text`)
}

/**
 * Returns the filter of liquidjs with this name, which refuses texts that it would round. An input of the type integer is such a text if
 * it is beyond 2^53.
 */
export function exact(name: string): FilterFunction {
  const original = (filters as unknown as Readonly<Record<string, FilterFunction>>)[name] as FilterFunction
  return function (value, ...given) {
    for (const one of [value, ...given]) checkDigits(one)
    return original.call(this, value, ...given)
  }
}
