import { filters as builtIn, type FilterImplOptions } from 'liquidjs'
import type { Json } from '../../domain/index.ts'
import { timeOf } from '../time.ts'

/** How a query language quotes a text (a manifest's `quoting`): between two quotes, with quote and escape character escaped. */
export interface Quoting {
  readonly quote: string
  readonly escape: string
}

/** Filters that templates may use besides the built-in ones, by name. */
export type Filters = Readonly<Record<string, Quoting>>

/** A value as a quoted text of a query language. Lists and objects have no text of their own there, so they are refused. */
export function quote(value: unknown, quoting: Quoting): string {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
    const kind = value === null || value === undefined ? 'nothing' : Array.isArray(value) ? 'a list' : 'an object'
    throw new Error(`only a text, number or boolean can be quoted, not ${kind}`)
  }
  let quoted = ''
  for (const character of String(value))
    quoted += character === quoting.quote || character === quoting.escape ? quoting.escape + character : character
  return quoting.quote + quoted + quoting.quote
}

export function quotingFilter(quoting: Quoting): FilterImplOptions {
  return (value: unknown) => quote(value, quoting)
}

/** Not offered: they read a clock or randomness, or evaluate expressions that the analysis of a template cannot see. */
export const withheldFilters: readonly string[] = [
  'sample',
  'raw',
  'where_exp',
  'reject_exp',
  'group_by_exp',
  'has_exp',
  'find_index_exp',
  'find_exp',
]

const dateFilterNames = ['date', 'date_to_xmlschema', 'date_to_rfc822', 'date_to_string', 'date_to_long_string'] as const

type DateFilter = (this: unknown, value: string, ...more: unknown[]) => unknown

function builtInDate(name: (typeof dateFilterNames)[number]): DateFilter {
  return (builtIn as Readonly<Record<string, unknown>>)[name] as DateFilter
}

/** The format for `date` that gives the same result as each of these filters without arguments. */
const asDate: Readonly<Record<string, string>> = {
  date_to_rfc822: '%a, %d %b %Y %H:%M:%S %z',
  date_to_string: '%d %b %Y',
  date_to_long_string: '%d %B %Y',
}

/** Liquid's date filters over times that mean the same on every machine: epoch milliseconds, or ISO 8601. */
export const dateFilters: Readonly<Record<string, FilterImplOptions>> = Object.fromEntries(
  dateFilterNames.map((name): [string, FilterImplOptions] => [
    name,
    function (value: unknown, ...more: unknown[]): unknown {
      const time = isoTime(value as Json | undefined, name)
      const format = name === 'date' ? more[0] : more.length === 0 ? asDate[name] : undefined
      if (typeof format !== 'string' || (name === 'date' && more.length > 1)) return builtInDate(name).call(this, time, ...more)
      return builtInDate('date').call(this, time, withNames(format, new Date(time)))
    },
  ]),
)

const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December']
const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** Puts the names of the month and day into a format. Liquid would get each from Intl, which takes a hundred times as long. */
function withNames(format: string, time: Date): string {
  const month = months[time.getUTCMonth()] ?? ''
  const day = days[time.getUTCDay()] ?? ''
  const names: Readonly<Record<string, string>> = { B: month, b: month.slice(0, 3), h: month.slice(0, 3), A: day, a: day.slice(0, 3) }
  return format.replace(/%(.)/gs, (whole, kind: string) => names[kind] ?? whole)
}

function isoTime(value: Json | undefined, filter: string): string {
  if (value === 'now' || value === 'today') throw new Error(`templates have no clock; give \`${filter}\` a time, for example run.now`)
  const time = timeOf(value)
  if (time === undefined) throw new Error(`\`${filter}\` needs epoch milliseconds or an ISO 8601 time`)
  return new Date(time).toISOString()
}

/** `max_by: 'version'`: the item whose member is the largest number; a text that is a number counts as one. Nothing of an empty list. */
export const maxByFilter: FilterImplOptions = (list: unknown, member: unknown) => {
  if (typeof member !== 'string') throw new Error('`max_by` needs the name of a member')
  if (!Array.isArray(list)) throw new Error('`max_by` needs a list')
  const [first, ...others] = list.map((item: unknown) => ({ item, size: numberIn(item, member) }))
  return others.reduce((largest, other) => (other.size > (largest?.size ?? 0) ? other : largest), first)?.item
}

function numberIn(item: unknown, member: string): number {
  const own = typeof item === 'object' && item !== null && Object.hasOwn(item, member)
  const value = own ? (item as Readonly<Record<string, unknown>>)[member] : undefined
  if (typeof value === 'number') return value
  if (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)) return Number(value)
  throw new Error(`\`max_by\` needs a number as \`${member}\` of every item`)
}
