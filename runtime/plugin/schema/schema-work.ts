import type { Format, FuncKeywordDefinition } from 'ajv'
import { type Json, mostLevels } from '../../domain/index.ts'
import { compilePattern, Meter, type Work } from '../../expressions/index.ts'

/** The meter of the current check. One variable is enough, because checks are synchronous. */
let meter: Meter | null = null

/**
 * Runs a check of a value against a schema. Its patterns, formats and comparisons cost work units,
 * as in a condition.
 * @param most how many units the check may use
 * @throws WorkExceeded
 */
export function paidFor<T>(check: () => T, most: Work): T {
  const outer = meter
  meter = new Meter(null, most)
  try {
    return check()
  } finally {
    meter = outer
  }
}

/** Charges the current check. @throws WorkExceeded */
export function pay(work: Work): void {
  meter?.charge(work)
}

/** The fixed cost of starting a pattern search. */
const perTest: Work = 30

/** Patterns in schemas use RE2, because a hostile pattern can make JavaScript's `RegExp` run for years. */
export const safeRegExp = Object.assign(
  (source: string) => {
    const pattern = compilePattern(source)
    return {
      // Ajv identifies patterns by this text.
      toString: () => source,
      test: (text: string) => {
        pay(perTest)
        return pattern.test(text, meter ?? new Meter())
      },
    }
  },
  { code: 'require("tocsin").safeRegExp' },
)

/** The longest text that can match a format, in characters. No address, time or URI is longer. */
const longestFormatted = 10_000
/** The same for the format `url`, whose check takes quadratic time. */
const longestUrl = 2_048

/** Returns a format check that refuses long texts without examining them. */
export function safeFormat(fits: (text: string) => boolean, name = ''): (text: string) => boolean {
  const longest = name === 'url' ? longestUrl : longestFormatted
  return (text) => {
    pay(2 + text.length / 8)
    return text.length <= longest && fits(text)
  }
}

/**
 * Bounds the cost of one of Ajv's formats. Formats for numbers, and formats that accept everything,
 * need no bound.
 */
export function boundedFormat(name: string, format: Format): Format {
  if (format instanceof RegExp) return safeFormat((text) => format.test(text), name)
  if (typeof format === 'function') return safeFormat(format as (text: string) => boolean, name)
  if (typeof format !== 'object' || !('validate' in format) || format.type === 'number') return format
  const { validate } = format
  const fits = validate instanceof RegExp ? (text: string) => validate.test(text) : (validate as (text: string) => boolean)
  return { ...format, validate: safeFormat(fits, name) } as Format
}

/** Returns a text that is the same for equal values, whatever the order of an object's keys. */
function canonical(value: Json, levels = mostLevels): string {
  if (levels === 0) throw new RangeError('the value has too many levels')
  if (typeof value !== 'object' || value === null) {
    pay(20 + (typeof value === 'string' ? value.length / 2 : 0))
    return JSON.stringify(value)
  }
  const text = Array.isArray(value)
    ? `[${(value as readonly Json[]).map((item) => canonical(item, levels - 1)).join()}]`
    : `{${Object.keys(value)
        .sort()
        .map((key) => `${JSON.stringify(key)}:${canonical((value as Readonly<Record<string, Json>>)[key] as Json, levels - 1)}`)
        .join()}}`
  pay(40 + text.length / 2)
  return text
}

function firstRepeated(list: readonly Json[]): readonly [earlier: number, later: number] | null {
  const seen = new Map<string, number>()
  for (const [index, item] of list.entries()) {
    const key = canonical(item)
    const earlier = seen.get(key)
    if (earlier !== undefined) return [earlier, index]
    seen.set(key, index)
  }
  return null
}

/** `uniqueItems` in linear time. Ajv would compare each item with every other. */
export const uniqueItems: FuncKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  errors: true,
  compile: (unique: boolean) => {
    const check: ReturnType<NonNullable<FuncKeywordDefinition['compile']>> = (list: readonly Json[]) => {
      const repeated = unique ? firstRepeated(list) : null
      if (repeated === null) return true
      const [j, i] = repeated
      check.errors = [{ keyword: 'uniqueItems', params: { i, j }, message: `has the same item twice, at ${j} and ${i}` }]
      return false
    }
    return check
  },
}
