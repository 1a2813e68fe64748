/** The json-logic operators: what each computes, and what that costs. */

import { arithmetic } from './arithmetic.ts'
import { comparison } from './comparison.ts'
import { lists } from './lists.ts'
import { network } from './network.ts'
import { text } from './text.ts'
import { time } from './time.ts'
import type { Operator } from './types.ts'

/** Every operator that evaluates its arguments first; `var`, the branches and the loops are json-logic's own. */
export const operators: Readonly<Record<string, Operator>> = { ...comparison, ...arithmetic, ...text, ...lists, ...network, ...time }
