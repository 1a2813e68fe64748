import { filters as builtIn, type FilterImplOptions, type Context as LiquidContext } from 'liquidjs'
import { ofCharacters } from '../operators/cost.ts'
import { type Meter, type Work, WorkExceeded } from '../work.ts'
import { inChunks } from './chunks.ts'
import { meterOf } from './context.ts'
import { textLength } from './cost.ts'
import { payForJson } from './json-cost.ts'
import { type Filtering, memberFilters } from './members.ts'
import { remove, replace, split } from './pieces.ts'
import { sorting, sum } from './sort.ts'

export type FilterFunction = (this: Filtering, value: unknown, ...given: readonly unknown[]) => unknown

/** What a filter takes for its value and arguments, before it is called. */
type Cost = (meter: Meter, value: unknown, given: readonly unknown[]) => void

/** What calling a filter takes, and each of its arguments. */
const ofCall = 100
const ofArgument = 20

/** A text, `each` for each of its characters. */
function characters(each: Work): Cost {
  return (meter, value, given) => {
    meter.charge(textLength(meter, value) * each)
    for (const one of given) textLength(meter, one)
  }
}

/** A list that is gone through as it is. */
function items(each: Work): Cost {
  return (meter, value, given) => {
    for (const list of [value, ...given]) meter.charge(Array.isArray(list) ? list.length * each : 5)
  }
}

/** A list whose largest number is looked for. */
const members: Cost = (meter, value) => meter.charge(40 * (Array.isArray(value) ? value.length : 1))

/** A list whose items are told apart: of texts each character counts. */
const distinct: Cost = (meter, value) => {
  for (const item of Array.isArray(value) ? (value as readonly unknown[]) : []) meter.charge(30 + (typeof item === 'string' ? item.length / 16 : 0))
}

/** A text in which another is looked for, in the worst way: from the end, or with a part of it at each place. */
const search: Cost = (meter, value, given) => {
  const [text, part] = [textLength(meter, value), textLength(meter, given[0])]
  for (const one of given.slice(1)) textLength(meter, one)
  meter.charge(text * (3 + part / 8))
}

/** Letters with a dot above become two, which takes ten times as long. */
const cased: Cost = (meter, value) => {
  const length = textLength(meter, value)
  meter.charge(length * (typeof value === 'string' && !value.includes('İ') ? 1 : 4))
}

const asJson: Cost = (meter, value) => payForJson(meter, value)

/** What asking the tables of the language takes, and reading the name of a time zone. */
const ofLanguage = 8_000
const ofZone = 20_000

/** A time in words: each part of the format, how wide it is made, and what asks the tables of the language. */
const formatted: Cost = (meter, value, [format, zone]) => {
  textLength(meter, value)
  textLength(meter, format)
  if (zone !== undefined) meter.charge(ofZone + textLength(meter, zone))
  if (format === 'ordinal') meter.charge(ofLanguage)
  if (typeof format !== 'string') return
  for (const [, flags, width = '', kind = ''] of format.matchAll(/%([-_0^#:]*)(\d*)[EO]?(.?)/gs)) {
    const asks = /[cxXZ]/.test(kind) || (/[aAbBh]/.test(kind) && (flags !== '' || width !== '' || zone !== undefined))
    meter.charge(110 + (asks ? ofLanguage : 0) + ofCharacters(Number(width)))
  }
}

const nothing: Cost = () => undefined

const costs: Readonly<Record<string, Cost>> = {
  ...Object.fromEntries(
    ['abs', 'at_least', 'at_most', 'ceil', 'divided_by', 'floor', 'minus', 'plus', 'modulo', 'times', 'round'].map((name) => [name, characters(1)]),
  ),
  ...{ append: characters(0.2), prepend: characters(0.2), truncate: characters(1), slice: characters(1), to_integer: characters(0.5) },
  ...{ upcase: cased, downcase: cased, capitalize: cased },
  ...{ strip: characters(4), lstrip: characters(4), rstrip: characters(4), squish: characters(4), normalize_whitespace: characters(4) },
  ...{ strip_newlines: characters(3), newline_to_br: characters(4), strip_html: characters(5), escape_once: characters(10) },
  ...{ truncatewords: characters(5), number_of_words: characters(6), slugify: characters(8), url_decode: characters(3) },
  ...{ base64_encode: characters(1), base64_decode: characters(2), sha256: characters(1), hmac_sha256: characters(1) },
  ...{ remove_first: search, remove_last: search, replace_first: search, replace_last: search },
  ...{ join: characters(1), array_to_sentence_string: characters(1) },
  ...{ reverse: items(2), compact: items(5), concat: items(2), push: items(2), unshift: items(3), pop: items(2), shift: items(3), uniq: distinct },
  max_by: members,
  ...{ json: asJson, jsonify: asJson, inspect: asJson },
  ...{ date: formatted, date_to_xmlschema: formatted, date_to_rfc822: formatted, date_to_string: formatted, date_to_long_string: formatted },
  // What they do beyond making a text of their value they pay for themselves.
  ...Object.fromEntries(
    ['split', 'replace', 'remove', 'escape', 'xml_escape', 'url_encode', 'cgi_escape', 'uri_escape'].map((name) => [name, characters(0.2)]),
  ),
  ...Object.fromEntries(
    ['default', 'first', 'last', 'size', 'sort', 'sort_natural', 'sum', ...Object.keys(memberFilters)].map((name) => [name, nothing]),
  ),
}

/** Liquid's own filter of a name. */
function original(name: string): FilterFunction {
  return (builtIn as unknown as Readonly<Record<string, FilterFunction>>)[name] as FilterFunction
}

/** A filter that changes each character by itself. */
function eachCharacter(name: string): FilterFunction {
  const change = original(name)
  return function (value) {
    const text = typeof value === 'string' ? value : String(original('append').call(this, value, ''))
    return inChunks(text, meterOf(this.context), 1, 4, (chunk) => String(change.call(this, chunk)))
  }
}

/** In place of Liquid's: the same results, from work that can be paid for. */
export const replaced: Readonly<Record<string, FilterFunction>> = {
  ...(memberFilters as Readonly<Record<string, FilterFunction>>),
  sort: sorting(false),
  sort_natural: sorting(true),
  sum,
  ...{ split, replace, remove },
  ...Object.fromEntries(['escape', 'xml_escape', 'url_encode', 'cgi_escape', 'uri_escape'].map((name) => [name, eachCharacter(name)])),
}

/** Liquid counts what its filters make, too; here it is paid for already. */
const uncounted = { use: () => undefined, check: () => undefined }

/** A filter that pays for what it does before it does it, and for the text that it makes. @param cost of filters that are not Liquid's own */
export function metered(name: string, filter: FilterFunction, cost: Cost = costs[name] ?? characters(2)): FilterImplOptions {
  return function (this: Filtering, value: unknown, ...given: readonly unknown[]): unknown {
    const meter = meterOf(this.context)
    try {
      meter.charge(ofCall + ofArgument * given.length)
      cost(meter, value, given)
      const inner = { ...this, context: Object.create(this.context, { memoryLimit: { value: uncounted } }) as LiquidContext }
      return paid(name, meter, filter.call(inner, value, ...given))
    } catch (error) {
      throw error instanceof WorkExceeded ? error.within(`\`${name}\``) : error
    }
  } as FilterImplOptions
}

/** What was made: some filters make it step by step. */
function paid(name: string, meter: Meter, made: unknown): unknown {
  if (typeof made === 'string') meter.charge(ofCharacters(made.length))
  return isSteps(made) ? stepwise(name, made) : made
}

function isSteps(value: unknown): value is Generator<unknown, unknown, unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value && 'next' in value && 'throw' in value
}

function* stepwise(name: string, steps: Generator<unknown, unknown, unknown>): Generator<unknown, unknown, unknown> {
  try {
    return yield* steps
  } catch (error) {
    throw error instanceof WorkExceeded ? error.within(`\`${name}\``) : error
  }
}
