import { truthy } from '../../values.ts'
import type { Compile } from '../part.ts'
import { compileLoop } from './loop.ts'

interface Quantifier {
  /** The loop ends at the first item for which the body is true (or false, if this is false). */
  readonly decisive: boolean
  /** The result if the loop ended early. If it did not, the result is the opposite. */
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
