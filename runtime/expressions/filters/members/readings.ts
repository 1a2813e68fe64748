import { meterOf } from '../../liquid/context.ts'
import { textLength } from '../../liquid/cost.ts'
import type { Filtering } from '../definition.ts'
import { itemsIn, readPath } from './read.ts'

interface Reading {
  readonly item: unknown
  readonly value: unknown
}

/**
 * Returns the items of a list, each with its value: the item itself or a member. Charges for reading the
 * value and for making a text of it.
 */
export function readings({ context }: Filtering, given: unknown, property: unknown): readonly Reading[] {
  textLength(meterOf(context), property)
  const path = property ? String(property).split('.') : []
  return itemsIn(given).map((item) => {
    const value = readPath(context, item, path)
    textLength(meterOf(context), value)
    return { item, value }
  })
}
