import { characterAt, charactersOf, ofCounting } from '../characters.ts'
import type { Meter } from '../work.ts'

/** Returns the number of characters of a text. */
export function sizeOfText(meter: Meter, text: string): number {
  meter.charge(ofCounting(text))
  return charactersOf(text)
}

/** Reads what Liquid computes for a text: its size, or the character at an index. Undefined: the text has no such member. */
export function memberOfText(meter: Meter, text: string, key: unknown): unknown {
  if (key === 'size' || key === 'length') return sizeOfText(meter, text)
  const index = typeof key === 'string' && /^(?:0|[1-9]\d*)$/.test(key) ? Number(key) : key
  if (typeof index !== 'number' || !Number.isSafeInteger(index) || index < 0 || index >= text.length) return undefined
  meter.charge(ofCounting(text))
  return characterAt(text, index)
}
