import type { Context as LiquidContext } from 'liquidjs'
import type { Meter } from '../work.ts'
import type { FilterSignature } from './signature.ts'

/** The `this` of a filter. */
export interface Filtering {
  readonly context: LiquidContext
}

export type FilterFunction = (this: Filtering, value: unknown, ...given: readonly unknown[]) => unknown

/** Charges for a filter, by its value and arguments, before it is called. */
export type Cost = (meter: Meter, value: unknown, given: readonly unknown[]) => void

/** A filter of templates. The reference page, the engine and lint read it. */
export interface Filter {
  readonly name: string
  /** What it gives: a phrase without capital and full stop. */
  readonly text: string
  /** A template that uses the filter and reads nothing but `filterContext`. */
  readonly example: string
  readonly types: FilterSignature
  /** If the filter is our code, this may leave work for the filter to charge itself. */
  readonly cost: Cost
  /** Our code, or `liquidjs` if the filter of that library with the same name is used. */
  readonly evaluate: FilterFunction | 'liquidjs'
}
