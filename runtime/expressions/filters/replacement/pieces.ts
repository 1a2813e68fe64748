import { eachOf } from '../../characters.ts'
import { ofCharacters, ofSearch } from '../../cost.ts'
import { meterOf } from '../../liquid/context.ts'
import { type Meter, WorkExceeded } from '../../work.ts'
import type { Filtering } from '../definition.ts'

/** Work units for a piece of a split text. */
const ofPiece = 4

/** Returns the text of a value, as in Liquid's filters. Its cost is charged before the filter is called. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  return Array.isArray(value) ? value.map(textOf).join('') : String(value)
}

/** Splits a text at each occurrence of another, or into its characters if that is empty. Stops as soon as the work units do not suffice. @throws WorkExceeded */
function pieces(meter: Meter, text: string, separator: string): string[] {
  meter.charge(ofSearch(text, separator))
  const affordable = Math.floor(meter.left / ofPiece)
  const found = separator === '' ? eachOf(text, affordable + 1) : text.split(separator, affordable + 1)
  if (found.length > affordable) throw new WorkExceeded()
  meter.charge(ofPiece * found.length)
  return found
}

/** Splits a text. Leaves out empty pieces at the end, as in Ruby. */
export function splitText({ context }: Filtering, value: unknown, separator: unknown): string[] {
  const found = pieces(meterOf(context), textOf(value), textOf(separator))
  while (found.at(-1) === '') found.pop()
  return found
}

/** Replaces every occurrence of a text by another. */
export function replaceAll({ context }: Filtering, value: unknown, what: unknown, by: unknown): string {
  const meter = meterOf(context)
  const [text, replacement] = [textOf(value), textOf(by)]
  const found = pieces(meter, text, textOf(what))
  meter.charge(ofCharacters(text.length + (found.length - 1) * replacement.length))
  return found.join(replacement)
}
