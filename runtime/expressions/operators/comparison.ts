import type { Json } from '../../domain/index.ts'
import type { Meter } from '../work.ts'
import { ofCharacters } from './cost.ts'
import { kindOf, type Operator, operator, same } from './types.ts'

/** Null compares with anything: to ask whether something is null is the use of it. Other different types are an error, not false. */
function equal(meter: Meter, a: Json | undefined, b: Json | undefined): boolean {
  if (a !== null && b !== null && kindOf(a) !== kindOf(b)) throw new Error(`compares ${kindOf(a)} with ${kindOf(b)}`)
  return same(meter, a, b)
}

function ordered(test: (a: number | string, b: number | string) => boolean): Operator['apply'] {
  return (meter, ...values) => {
    for (let index = 1; index < values.length; index += 1) {
      const a = values[index - 1]
      const b = values[index]
      if (!((typeof a === 'number' && typeof b === 'number') || (typeof a === 'string' && typeof b === 'string'))) {
        throw new Error(`needs two numbers or two texts, not ${kindOf(a)} and ${kindOf(b)}`)
      }
      if (typeof a === 'string') meter.charge(ofCharacters(a.length))
      if (!test(a, b)) return false
    }
    return true
  }
}

export const comparison: Readonly<Record<string, Operator>> = {
  '==': operator(2, 2, (meter, a, b) => equal(meter, a, b)),
  '===': operator(2, 2, (meter, a, b) => equal(meter, a, b)),
  '!=': operator(2, 2, (meter, a, b) => !equal(meter, a, b)),
  '!==': operator(2, 2, (meter, a, b) => !equal(meter, a, b)),
  // Three arguments: between.
  '<': operator(
    2,
    3,
    ordered((a, b) => a < b),
  ),
  '<=': operator(
    2,
    3,
    ordered((a, b) => a <= b),
  ),
  '>': operator(
    2,
    2,
    ordered((a, b) => a > b),
  ),
  '>=': operator(
    2,
    2,
    ordered((a, b) => a >= b),
  ),
}
