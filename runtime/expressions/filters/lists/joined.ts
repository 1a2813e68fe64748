import { filters } from 'liquidjs'
import { meterOf } from '../../liquid/context.ts'
import type { FilterFunction } from '../definition.ts'
import { asJson } from '../encodings/json-cost.ts'
import { itemsIn } from '../members/read.ts'

/** Returns a filter of liquidjs that joins items. Items that are lists or objects become JSON, as everywhere inside text. */
export function joining(name: 'join' | 'array_to_sentence_string'): FilterFunction {
  const original = (filters as unknown as Readonly<Record<typeof name, FilterFunction>>)[name]
  return function (value, ...given) {
    const meter = meterOf(this.context)
    const texts = itemsIn(value).map((item) => {
      if (typeof item !== 'object' || item === null) return item
      asJson(meter, item, [])
      return JSON.stringify(item)
    })
    return original.call(this, texts, ...given)
  }
}
