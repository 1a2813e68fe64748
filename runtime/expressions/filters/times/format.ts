import { filters } from 'liquidjs'
import type { Json } from '../../../domain/index.ts'
import { type TextFormatName, textFormatNames } from '../../../formats/index.ts'
import { ofCharacters } from '../../cost.ts'
import { textLength } from '../../liquid/cost.ts'
import { timeOf } from '../../time.ts'
import { describe, isAny, isNever, type Kind, text } from '../../typing/model/index.ts'
import type { Cost, FilterFunction } from '../definition.ts'
import { type FilterSignature, signature } from '../signature.ts'

type DateFilter = 'date' | 'date_to_xmlschema' | 'date_to_rfc822' | 'date_to_string' | 'date_to_long_string'

function original(name: DateFilter): FilterFunction {
  return (filters as unknown as Readonly<Record<DateFilter, FilterFunction>>)[name]
}

/** Formats for `date` with the same result as these filters without arguments. */
const asDate: Readonly<Partial<Record<DateFilter, string>>> = {
  date_to_rfc822: '%a, %d %b %Y %H:%M:%S %z',
  date_to_string: '%d %b %Y',
  date_to_long_string: '%d %B %Y',
}

/** Returns a date filter of liquidjs, for times that mean the same on every machine: epoch milliseconds, or ISO 8601. */
export function dateFilter(name: DateFilter): FilterFunction {
  return function (value, ...more) {
    const time = isoTime(value as Json | undefined, name)
    const format = name === 'date' ? more[0] : more.length === 0 ? asDate[name] : undefined
    if (typeof format !== 'string' || (name === 'date' && more.length > 1)) return original(name).call(this, time, ...more)
    return original('date').call(this, time, withNames(format, new Date(time)))
  }
}

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

/** Work units to use the language tables of Intl, and to read the name of a time zone. */
const ofLanguage = 8_000
const ofZone = 20_000

/** For date filters: each part of the format costs, more if it is padded or uses the language tables. */
export const formatted: Cost = (meter, value, [format, zone]) => {
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

const needs = 'a time: epoch milliseconds or an ISO 8601 text'
const timeFormats: readonly TextFormatName[] = ['date', 'date-time']
/** Formats of texts that are never times. */
const otherFormats = new Set<string>(textFormatNames.filter((name) => !timeFormats.includes(name)))

/** Returns the types of a date filter. Reports texts that are certainly not times. */
export function ofTime(filter: DateFilter, ...optional: readonly (readonly Kind[] | null)[]): FilterSignature {
  return {
    ...signature({ takes: ['number', 'text'], needs }, optional, () => text, { least: 0, failsOnNull: true }),
    refuses(value, name) {
      if (value.text === null || !isNever({ ...value, text: null }) || isAny(value)) return null
      const { format, values } = value.text
      if (values?.every((one) => one === 'now' || one === 'today') === true)
        return `templates have no clock; give \`${filter}\` a time, such as run.now`
      const never = otherFormats.has(format ?? '') || values?.every((one) => timeOf(one) === undefined)
      return never ? `\`${filter}\` needs ${needs}, and \`${name}\` is ${describe(value)}` : null
    },
  }
}
