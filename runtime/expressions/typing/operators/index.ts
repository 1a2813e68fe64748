/** The types of json-logic operators: what they take and give. */

import type { OperatorType } from './call.ts'
import { comparisonOperators, listed } from './comparison.ts'
import { networkOperators } from './network.ts'
import { plainOperators } from './plain.ts'
import { textOperators, within } from './texts.ts'
import { timeOperators } from './time.ts'

export type { Argument, OperatorType } from './call.ts'

/** Every operator that evaluates its arguments first, but `!` and `!!`, which are about truth. */
export const operatorTypes: Readonly<Record<string, OperatorType>> = {
  ...plainOperators,
  ...textOperators,
  ...comparisonOperators,
  ...timeOperators,
  ...networkOperators,
  in: (call) => {
    listed(call)
    return within(call)
  },
}
