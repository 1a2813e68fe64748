import type { Context as LiquidContext } from 'liquidjs'
import type { Meter } from '../work.ts'
import type { FilterSignature } from './signature.ts'

/** The `this` of a filter. */
export interface Filtering {
  readonly context: LiquidContext
}

export type FilterFunction = (this: Filtering, value: unknown, ...given: readonly unknown[]) => unknown

/** Charges for a call of a filter before it is made. The charge depends on its value and arguments. */
export type Cost = (meter: Meter, value: unknown, given: readonly unknown[]) => void

/** A filter of templates. The reference page, the engine and lint read it. */
export interface Filter {
  readonly name: string
  /** What it returns: a phrase that starts in lower case and has no full stop. */
  readonly text: string
  /** A template that uses the filter and reads only from `filterContext`. */
  readonly example: string
  readonly types: FilterSignature
  /** What a call costs. A filter that is our code may charge for a part of its work itself. */
  readonly cost: Cost
  /** Our code, or `liquidjs`: the filter of the same name in that library. */
  readonly evaluate: FilterFunction | 'liquidjs'
}
