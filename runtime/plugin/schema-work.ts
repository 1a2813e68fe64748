import type { Format, FuncKeywordDefinition } from 'ajv'
import { type Json, mostLevels } from '../domain/index.ts'
import { compilePattern, Meter, type Work } from '../expressions/index.ts'

/** Who pays for the check that goes on; checks are synchronous. */
let meter: Meter | null = null

/**
 * Runs a check of a value by a schema. What its patterns, formats and comparisons take is paid for, as in a condition.
 * @param most what the check may take
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

/** Pays for a part of the check that goes on. @throws WorkExceeded */
export function pay(work: Work): void {
  meter?.charge(work)
}

/** To begin a search takes as much as some steps of it. */
const perTest: Work = 30

/** Patterns of schemas are RE2: `RegExp` of JavaScript can be made to take years. */
export const safeRegExp = Object.assign(
  (source: string) => {
    const pattern = compilePattern(source)
    return {
      // Ajv tells patterns apart by it.
      toString: () => source,
      test: (text: string) => {
        pay(perTest)
        return pattern.test(text, meter ?? new Meter())
      },
    }
  },
  { code: 'require("tocsin").safeRegExp' },
)

/** Characters of a text that may have a format: no address, time or URI is longer. */
const longestFormatted = 10_000
/** Of an address of the web: the check of this one takes four times as long for a text that is twice as long. */
const longestUrl = 2_048

/** A check of a format that is not made of what is too long to have it. */
export function safeFormat(fits: (text: string) => boolean, name = ''): (text: string) => boolean {
  const longest = name === 'url' ? longestUrl : longestFormatted
  return (text) => {
    pay(2 + text.length / 8)
    return text.length <= longest && fits(text)
  }
}

/** One of Ajv's formats, made safe. Those of numbers, and those that anything has, are so. */
export function boundedFormat(name: string, format: Format): Format {
  if (format instanceof RegExp) return safeFormat((text) => format.test(text), name)
  if (typeof format === 'function') return safeFormat(format as (text: string) => boolean, name)
  if (typeof format !== 'object' || !('validate' in format) || format.type === 'number') return format
  const { validate } = format
  const fits = validate instanceof RegExp ? (text: string) => validate.test(text) : (validate as (text: string) => boolean)
  return { ...format, validate: safeFormat(fits, name) } as Format
}

/** The same text for the same value, whatever the order of an object's keys. */
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

/** `uniqueItems` by one look at each item; Ajv compares each with each. */
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
      check.errors = [{ keyword: 'uniqueItems', params: { i, j }, message: `must NOT have duplicate items (items ## ${j} and ${i} are identical)` }]
      return false
    }
    return check
  },
}
