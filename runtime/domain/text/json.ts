/** Any JSON value, as it is journaled and as templates see it. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/** Returns whether a value is a JSON object. False for lists and null. */
export function isObject(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Matches a number that a double may not hold exactly: sixteen digits in a row, or a three-digit exponent. */
const doubtful = /\d{16}|[eE]\+?\d{3}/

/**
 * Parses JSON without loss. An integer beyond 2^53 becomes the string of its digits, and so does a number too
 * large for a double.
 * @throws SyntaxError if the text is not JSON, or is nested too deeply
 */
export function parseJson(text: string): Json {
  if (!doubtful.test(text)) return JSON.parse(text) as Json
  try {
    return JSON.parse(text, exact as (key: string, value: unknown) => unknown) as Json
  } catch (error) {
    // Unlike the parser, the reviver recurses.
    throw error instanceof RangeError ? new SyntaxError('The JSON is nested too deeply') : error
  }
}

function exact(_key: string, value: unknown, context: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || context.source === undefined) return value
  const held = Number.isSafeInteger(value) || (Number.isFinite(value) && !/^-?\d+$/.test(context.source))
  return held ? value : context.source
}

/** Returns whether a value is an integer beyond 2^53, as `parseJson` reads it: the text of its digits. */
export function isLongInteger(value: unknown): value is string {
  return typeof value === 'string' && /^-?[1-9]\d{15,}$/.test(value) && !Number.isSafeInteger(Number(value))
}

/**
 * The deepest nesting allowed. External systems send nothing deeper, and code that recurses over values would
 * overflow the stack.
 */
export const mostLevels = 200

/** The most values that a step may pass on. Code that visits more of them would block the process. */
export const mostValues = 250_000
/** The most names of one object in JSON from others. */
export const mostNames = 20_000

/** Returns whether a value consists of more than `most` values. Stops as soon as it knows. */
export function moreValuesThan(value: Json, most: number): boolean {
  let left = most
  const ahead: Json[] = [value]
  for (let next = ahead.pop(); next !== undefined && left >= 0; next = ahead.pop()) {
    left -= 1
    if (typeof next !== 'object' || next === null) continue
    const inner: readonly Json[] = Array.isArray(next) ? next : Object.values(next)
    if (inner.length > left) return true
    for (const one of inner) ahead.push(one)
  }
  return left < 0
}

/** Estimates the memory that a value takes: 16 for each value and 1 for each character. Stops at `most`. */
export function weightOf(value: Json, most: number): number {
  let weight = 0
  const ahead: Json[] = [value]
  for (let next = ahead.pop(); next !== undefined && weight < most; next = ahead.pop()) {
    weight += 16
    if (typeof next === 'string') weight += next.length
    else if (typeof next === 'object' && next !== null) for (const one of Array.isArray(next) ? next : Object.values(next)) ahead.push(one)
  }
  return weight
}

/** Returns whether lists and objects are nested deeper than `levels`. */
export function deeperThan(value: Json, levels: number): boolean {
  let level: Json[] = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > levels) return true
    const inner: Json[] = []
    for (const one of level) {
      if (typeof one !== 'object' || one === null) continue
      for (const child of Object.values(one)) if (typeof child === 'object' && child !== null) inner.push(child)
    }
    level = inner
  }
  return false
}

/** Returns whether a value is longer than `most` characters as JSON, not counting escapes. Stops as soon as it knows. */
export function longerThan(value: Json, most: number): boolean {
  let left = most
  const ahead: Json[] = [value]
  for (let next = ahead.pop(); next !== undefined && left >= 0; next = ahead.pop()) {
    if (typeof next === 'string') left -= next.length + 2
    else if (typeof next !== 'object' || next === null) left -= String(next).length
    else if (Array.isArray(next)) {
      left -= next.length + 1
      for (const one of next) ahead.push(one)
    } else {
      left -= 1
      for (const [key, one] of Object.entries(next)) {
        left -= key.length + 4
        ahead.push(one)
      }
    }
  }
  return left < 0
}
