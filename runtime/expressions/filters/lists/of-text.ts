import { filters as builtIn } from 'liquidjs'
import { meterOf } from '../../liquid/context.ts'
import type { Meter } from '../../work.ts'
import type { FilterFunction } from '../definition.ts'

/** Returns a filter that reads texts by their characters. Everything else it leaves to the filter of liquidjs, which would read halves of them. */
export function ofTextOr(name: 'size' | 'first' | 'last', read: (meter: Meter, text: string) => string | number): FilterFunction {
  const original = (builtIn as unknown as Readonly<Record<typeof name, FilterFunction>>)[name]
  return function (value) {
    return typeof value === 'string' ? read(meterOf(this.context), value) : original.call(this, value)
  }
}
