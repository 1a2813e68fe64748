import { ofCharacters, ofSearch } from '../../cost.ts'
import { type Meter, WorkExceeded } from '../../work.ts'
import { meterOf } from '../../liquid/context.ts'
import type { Filtering } from '../members/read.ts'

/** Work units for a piece of a split text. */
const ofPiece = 4

/** The text of a value, as in Liquid's filters. `metered` has already charged for it. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  return Array.isArray(value) ? value.map(textOf).join('') : String(value)
}

/** Splits a text at each occurrence of another. It stops when the work units do not suffice. @throws WorkExceeded */
function pieces(meter: Meter, text: string, separator: string): string[] {
  meter.charge(ofSearch(text, separator))
  const affordable = Math.floor(meter.left / ofPiece)
  const found = text.split(separator, affordable + 1)
  if (found.length > affordable) throw new WorkExceeded()
  meter.charge(ofPiece * found.length)
  return found
}

/** `split`. Leaves out empty pieces at the end, as in Ruby. */
export function split(this: Filtering, value: unknown, separator: unknown): string[] {
  const found = pieces(meterOf(this.context), textOf(value), textOf(separator))
  while (found.at(-1) === '') found.pop()
  return found
}

/** `replace`: replaces every occurrence. */
export function replace(this: Filtering, value: unknown, what: unknown, by: unknown): string {
  const meter = meterOf(this.context)
  const [text, replacement] = [textOf(value), textOf(by)]
  const found = pieces(meter, text, textOf(what))
  meter.charge(ofCharacters(text.length + (found.length - 1) * replacement.length))
  return found.join(replacement)
}

/** `remove`: removes every occurrence. */
export function remove(this: Filtering, value: unknown, what: unknown): string {
  return replace.call(this, value, what, '')
}
