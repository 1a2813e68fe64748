import type { Json } from '../../../domain/index.ts'
import { ofItems } from '../../cost.ts'
import { isAny, isNever, listOf, type Type, unionOf } from '../../typing/model/index.ts'
import type { Meter } from '../../work.ts'
import type { OperatorCall } from '../call.ts'
import { many, type ValueOperator } from '../definition.ts'

/** Joins the arguments to one list. An argument that is not a list becomes an item. */
function merged(meter: Meter, values: readonly Json[]): Json[] {
  const items: Json[] = []
  for (const value of values) {
    if (!Array.isArray(value)) items.push(value)
    else {
      meter.charge(ofItems(value.length))
      for (const item of value as readonly Json[]) items.push(item)
    }
  }
  return items
}

function types({ args }: OperatorCall): Type {
  const items = args.map(({ type }) =>
    type.list === null
      ? type
      : isNever({ ...type, list: null })
        ? type.list.items
        : isAny(type)
          ? type
          : unionOf([type.list.items, { ...type, list: null }]),
  )
  return listOf(unionOf(items))
}

export const merge: ValueOperator = {
  name: 'merge',
  text: 'one list with the items of all lists',
  example: { merge: [[1], [2, 3]] },
  from: 'json-logic',
  takes: [1, many],
  evaluate: (meter, ...values) => merged(meter, values),
  types,
}
