import type { Cost, Filter } from '../definition.ts'
import { lists, signature } from '../signature.ts'
import { sameItems } from './items-of.ts'

/** Charges for comparing items. Texts cost more when they are longer. */
const distinct: Cost = (meter, value) => {
  for (const item of Array.isArray(value) ? (value as readonly unknown[]) : []) meter.charge(30 + (typeof item === 'string' ? item.length / 16 : 0))
}

export const uniq: Filter = {
  name: 'uniq',
  text: 'the list without repeated items',
  example: '{{ vars.list | uniq }}',
  types: signature(lists, [], sameItems),
  cost: distinct,
  evaluate: 'liquidjs',
}
