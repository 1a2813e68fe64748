import { filters as builtIn, type FilterImplOptions, type Context as LiquidContext } from 'liquidjs'
import { ofCharacters } from '../cost.ts'
import { type Meter, type Work, WorkExceeded } from '../work.ts'
import { inChunks } from '../filters/encodings/chunks.ts'
import { meterOf } from './context.ts'
import { textLength } from './cost.ts'
import { payForJson } from '../filters/encodings/json-cost.ts'
import { type Filtering, memberFilters } from '../filters/members/read.ts'
import { remove, replace, split } from '../filters/replacement/pieces.ts'
import { sorting, sum } from '../filters/lists/sorting.ts'

export type FilterFunction = (this: Filtering, value: unknown, ...given: readonly unknown[]) => unknown

/** Charges for a filter, by its value and arguments, before it is called. */
type Cost = (meter: Meter, value: unknown, given: readonly unknown[]) => void

/** Work units to call a filter, and for each argument. */
const ofCall = 100
const ofArgument = 20

/** For filters of a text: `each` units for each character. */
function characters(each: Work): Cost {
  return (meter, value, given) => {
    meter.charge(textLength(meter, value) * each)
    for (const one of given) textLength(meter, one)
  }
}

/** For filters that go through a list once: `each` units for each item. */
function items(each: Work): Cost {
  return (meter, value, given) => {
    for (const list of [value, ...given]) meter.charge(Array.isArray(list) ? list.length * each : 5)
  }
}

/** For `max_by`, which reads a number of each item. */
const members: Cost = (meter, value) => meter.charge(40 * (Array.isArray(value) ? value.length : 1))

/** For `uniq`, which compares items. Texts cost more when they are longer. */
const distinct: Cost = (meter, value) => {
  for (const item of Array.isArray(value) ? (value as readonly unknown[]) : []) meter.charge(30 + (typeof item === 'string' ? item.length / 16 : 0))
}

/** For filters that search a text, in the worst case: from the end, or with a partial match at every place. */
const search: Cost = (meter, value, given) => {
  const [text, part] = [textLength(meter, value), textLength(meter, given[0])]
  for (const one of given.slice(1)) textLength(meter, one)
  meter.charge(text * (3 + part / 8))
}

/** For changes of case. With the letter İ, which becomes two characters, they take ten times as long. */
const cased: Cost = (meter, value) => {
  const length = textLength(meter, value)
  meter.charge(length * (typeof value === 'string' && !value.includes('İ') ? 1 : 4))
}

const asJson: Cost = (meter, value) => payForJson(meter, value)

/** Work units to use the language tables of Intl, and to read the name of a time zone. */
const ofLanguage = 8_000
const ofZone = 20_000

/** For date filters: each part of the format costs, more if it is padded or uses the language tables. */
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
  // Here only for making a text of the value: these filters charge the rest themselves.
  ...Object.fromEntries(
    ['split', 'replace', 'remove', 'escape', 'xml_escape', 'url_encode', 'cgi_escape', 'uri_escape'].map((name) => [name, characters(0.2)]),
  ),
  ...Object.fromEntries(
    ['default', 'first', 'last', 'size', 'sort', 'sort_natural', 'sum', ...Object.keys(memberFilters)].map((name) => [name, nothing]),
  ),
}

/** Liquid's own filter with this name. */
function original(name: string): FilterFunction {
  return (builtIn as unknown as Readonly<Record<string, FilterFunction>>)[name] as FilterFunction
}

/** A filter that changes each character independently. */
function eachCharacter(name: string): FilterFunction {
  const change = original(name)
  return function (value) {
    const text = typeof value === 'string' ? value : String(original('append').call(this, value, ''))
    return inChunks(text, meterOf(this.context), 1, 4, (chunk) => String(change.call(this, chunk)))
  }
}

/** Filters that replace Liquid's. They give the same results, but charge for their work. */
export const replaced: Readonly<Record<string, FilterFunction>> = {
  ...(memberFilters as Readonly<Record<string, FilterFunction>>),
  sort: sorting(false),
  sort_natural: sorting(true),
  sum,
  ...{ split, replace, remove },
  ...Object.fromEntries(['escape', 'xml_escape', 'url_encode', 'cgi_escape', 'uri_escape'].map((name) => [name, eachCharacter(name)])),
}

/** Turns off Liquid's own count of what filters create: the metered filter already charges for it. */
const uncounted = { use: () => undefined, check: () => undefined }

/**
 * Wraps a filter so that it charges for its work before it runs, and for the text that it makes.
 * @param cost give it for filters that are not Liquid's own
 */
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

/** Charges for a filter's result. Some filters return a generator that makes the result step by step. */
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
