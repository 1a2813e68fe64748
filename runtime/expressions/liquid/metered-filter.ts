import { filters as builtIn, type FilterImplOptions, type Context as LiquidContext } from 'liquidjs'
import { ofCharacters } from '../cost.ts'
import type { Cost, FilterFunction, Filtering } from '../filters/definition.ts'
import { checkTexts } from '../filters/read-texts.ts'
import type { FilterSignature } from '../filters/signature.ts'
import { type Meter, WorkExceeded } from '../work.ts'
import { meterOf } from './context.ts'

/** Work units to call a filter, and for each argument. */
const ofCall = 100
const ofArgument = 20

/** Turns off Liquid's own count of what filters create: the metered filter already charges for it. */
const uncounted = { use: () => undefined, check: () => undefined }

/** Wraps a filter so that it refuses what it cannot read, and charges for its work before it runs and for the text that it makes. */
export function metered(name: string, filter: FilterFunction | 'liquidjs', cost: Cost, types: FilterSignature): FilterImplOptions {
  const evaluate = filter === 'liquidjs' ? original(name) : filter
  return function (this: Filtering, value: unknown, ...given: readonly unknown[]): unknown {
    const meter = meterOf(this.context)
    try {
      meter.charge(ofCall + ofArgument * given.length)
      checkTexts(name, types, value, given)
      cost(meter, value, given)
      const inner = { ...this, context: Object.create(this.context, { memoryLimit: { value: uncounted } }) as LiquidContext }
      return charged(name, meter, evaluate.call(inner, value, ...given))
    } catch (error) {
      throw error instanceof WorkExceeded ? error.within(`\`${name}\``) : error
    }
  } as FilterImplOptions
}

/** Returns the filter of liquidjs with this name. */
function original(name: string): FilterFunction {
  const filter = (builtIn as unknown as Readonly<Record<string, FilterFunction | undefined>>)[name]
  if (filter === undefined) throw new Error(`liquidjs has no filter ${name}`)
  return filter
}

/** Charges for a filter's result. Some filters return a generator that makes the result step by step. */
function charged(name: string, meter: Meter, made: unknown): unknown {
  if (typeof made === 'string') meter.charge(ofCharacters(made.length))
  return isSteps(made) ? stepwise(name, made) : made
}

function isSteps(value: unknown): value is Generator<unknown, unknown, unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value && 'next' in value && 'throw' in value
}

function* stepwise(name: string, steps: Generator<unknown, unknown, unknown>): Generator<unknown, unknown, unknown> {
  try {
    return yield* steps
  } catch (error) {
    throw error instanceof WorkExceeded ? error.within(`\`${name}\``) : error
  }
}
