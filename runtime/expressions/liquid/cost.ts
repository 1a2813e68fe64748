import { ofCharacters } from '../cost.ts'
import type { Meter } from '../work.ts'

/** More deeply nested lists are refused. */
const deepest = 200

/**
 * Returns the length of the text that Liquid's filters make of a value; a list becomes the texts of its items
 * in a row. Charges for making the text.
 */
export function textLength(meter: Meter, value: unknown, levels = deepest): number {
  if (typeof value === 'string') {
    meter.charge(ofCharacters(value.length))
    return value.length
  }
  if (!Array.isArray(value)) {
    meter.charge(20)
    return typeof value === 'object' ? 15 : 20
  }
  if (levels === 0) throw new Error(`a list of more than ${deepest} levels has no text`)
  let length = 0
  for (const item of value as readonly unknown[]) {
    meter.charge(5)
    length += 1 + textLength(meter, item, levels - 1)
  }
  return length
}
