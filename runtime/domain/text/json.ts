/** Any JSON value, as it is journaled and as templates see it. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/** Whether a value is a JSON object: no list, not null. */
export function isObject(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A number that a double may not hold exactly: sixteen digits in a row, or an exponent of three. */
const doubtful = /\d{16}|[eE]\+?\d{3}/

/**
 * Parses JSON without loss: an integer beyond 2^53 becomes the string of its digits, and so does a number too large for a double.
 * @throws SyntaxError when the text is not JSON, or is nested too deeply to be read
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

/** Deeper than this nothing is that systems exchange; what handles values by recursion would come to its end. */
export const mostLevels = 200

/** More values than this no step hands on: what has to look at each of them would hold the process up. */
export const mostValues = 250_000
/** Names of one object, in what others send. */
export const mostNames = 20_000

/** Whether a value is made of more than so many. Ends as soon as it knows. */
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

/** About what a value takes in memory: sixteen for each value and one for each character. Looks no further than `most`. */
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

/** Whether lists and objects lie within each other more than so many times. */
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

/** Whether a value has more than so many characters as JSON, what is escaped in texts not counted. Ends as soon as it knows. */
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
