import { filters } from 'liquidjs'
import { meterOf } from '../../liquid/context.ts'
import type { FilterFunction } from '../definition.ts'
import { inChunks } from './chunks.ts'

type Encoding = 'url_encode' | 'uri_escape' | 'cgi_escape' | 'escape' | 'xml_escape'

function original(name: Encoding | 'append'): FilterFunction {
  return (filters as unknown as Readonly<Record<Encoding | 'append', FilterFunction>>)[name]
}

/**
 * Returns the filter of liquidjs, for one that changes each character independently. Charges piece by piece,
 * because the text can grow a lot.
 */
export function eachCharacter(name: Encoding): FilterFunction {
  const change = original(name)
  return function (value) {
    const text = typeof value === 'string' ? value : String(original('append').call(this, value, ''))
    return inChunks(text, meterOf(this.context), 1, 4, (chunk) => String(change.call(this, chunk)))
  }
}
