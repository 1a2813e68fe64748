import { truthy } from '../../values.ts'
import type { Compile } from '../part.ts'
import { compileLoop } from './loop.ts'

interface Quantifier {
  /** The truth of the body at which the loop ends. */
  readonly decisive: boolean
  /** The result then. If the loop goes on to its end, the result is the opposite. */
  readonly ended: boolean
  /** The result for an empty list. */
  readonly ofEmpty: boolean
}

/** Compiles a loop that ends at the first item that decides it. */
export function compileQuantifier(name: string, { decisive, ended, ofEmpty }: Quantifier): Compile {
  return compileLoop(name, () => {
    let found = ofEmpty
    return {
      take: (value) => {
        const stops = truthy(value) === decisive
        found = stops ? ended : !ended
        return !stops
      },
      result: () => found,
    }
  })
}
