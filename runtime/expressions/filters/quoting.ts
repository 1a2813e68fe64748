import { text } from '../typing/model/index.ts'
import { characters } from './costs.ts'
import type { Cost, FilterFunction } from './definition.ts'
import { type FilterSignature, signature } from './signature.ts'

/** How a query language quotes a text (a manifest's `quoting`): between two quotes, with quote and escape character escaped. */
export interface Quoting {
  readonly quote: string
  readonly escape: string
}

/** The quoting filters of a template, by name. They come from plugins. */
export type Filters = Readonly<Record<string, Quoting>>

/** Returns a value as a quoted text of a query language. Refuses lists and objects, because the language has no text for them. */
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

/** Makes a filter that puts a value between quotes. */
export function quotingFilter(quoting: Quoting): FilterFunction {
  return (value) => quote(value, quoting)
}

export const quotingCost: Cost = characters(2)

export const typesOfQuoting: FilterSignature = signature(
  { takes: ['text', 'number', 'boolean'], needs: 'a text, number or boolean' },
  [],
  () => text,
  { failsOnNull: true },
)
