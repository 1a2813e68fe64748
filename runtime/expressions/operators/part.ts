import type { Json } from '../../domain/index.ts'
import type { Context } from '../types.ts'
import { type Meter, WorkExceeded } from '../work.ts'

/** One evaluation of a rule. */
export interface Evaluation {
  readonly context: Context
  readonly meter: Meter
}

/** A compiled part of a rule. `data` is what `var` reads from: the context, or the current item of a loop. */
export type Part = (data: unknown, evaluation: Evaluation) => Json

/** Compiles a special operator. @param compile compiles an argument */
export type Compile = (values: readonly Json[], compile: (rule: Json) => Part) => Part

/** The least work of a part of a rule, in units. */
export const ofPart = 3

/** Adds the name of the operator to its error. */
export function refusal(name: string, error: unknown): Error {
  if (error instanceof WorkExceeded) return error.within(`\`${name}\``)
  return new Error(`\`${name}\` ${error instanceof Error ? error.message : String(error)}`, { cause: error })
}
