import { textLength } from '../liquid/cost.ts'
import type { Work } from '../work.ts'
import type { Cost } from './definition.ts'

/** Returns the cost of a filter of a text: `each` units for each character. */
export function characters(each: Work): Cost {
  return (meter, value, given) => {
    meter.charge(textLength(meter, value) * each)
    for (const one of given) textLength(meter, one)
  }
}

/** Returns the cost of a filter that reads a list once: `each` units for each item. */
export function items(each: Work): Cost {
  return (meter, value, given) => {
    for (const list of [value, ...given]) meter.charge(Array.isArray(list) ? list.length * each : 5)
  }
}

/** The cost of changing the case. A text with the letter İ, which becomes two characters, takes ten times as long. */
export const cased: Cost = (meter, value) => {
  const length = textLength(meter, value)
  meter.charge(length * (typeof value === 'string' && !value.includes('İ') ? 1 : 4))
}

/** For filters that charge for all their work themselves, or do almost none. */
export const noCost: Cost = () => undefined
