import { ofCharacters, ofSearch } from '../operators/cost.ts'
import { type Meter, WorkExceeded } from '../work.ts'
import { meterOf } from './context.ts'
import type { Filtering } from './members.ts'

/** What a piece of a text takes. */
const ofPiece = 4

/** A value as Liquid's filters take it for a text. What it takes was paid for by whoever calls the filter. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  return Array.isArray(value) ? value.map(textOf).join('') : String(value)
}

/** Cuts a text at each occurrence of another, no further than can be paid for. @throws WorkExceeded */
function pieces(meter: Meter, text: string, separator: string): string[] {
  meter.charge(ofSearch(text, separator))
  const affordable = Math.floor(meter.left / ofPiece)
  const found = text.split(separator, affordable + 1)
  if (found.length > affordable) throw new WorkExceeded()
  meter.charge(ofPiece * found.length)
  return found
}

/** `split`. Empty pieces at the end are left out, as in Ruby. */
export function split(this: Filtering, value: unknown, separator: unknown): string[] {
  const found = pieces(meterOf(this.context), textOf(value), textOf(separator))
  while (found.at(-1) === '') found.pop()
  return found
}

/** `replace`: every occurrence. */
export function replace(this: Filtering, value: unknown, what: unknown, by: unknown): string {
  const meter = meterOf(this.context)
  const [text, replacement] = [textOf(value), textOf(by)]
  const found = pieces(meter, text, textOf(what))
  meter.charge(ofCharacters(text.length + (found.length - 1) * replacement.length))
  return found.join(replacement)
}

/** `remove`: every occurrence. */
export function remove(this: Filtering, value: unknown, what: unknown): string {
  return replace.call(this, value, what, '')
}
