import type { Type } from '../../typing/model/index.ts'
import { any, isAny, isNever, present, union, without } from '../../typing/model/index.ts'
import { noCost } from '../costs.ts'
import type { Filter } from '../definition.ts'
import type { FilterCall } from '../signature.ts'
import { anything, signature } from '../signature.ts'

function typeOfDefault({ input, args, named }: FilterCall): Type {
  const [fallback = any] = args
  if (isAny(input)) return any
  const kept: Type = {
    ...without(input, 'null'),
    boolean: input.boolean.filter((value) => value || named.has('allow_false')),
    text: input.text?.values == null ? input.text : textsBut(input.text, ''),
    list: input.list === null ? null : { ...input.list, least: Math.max(input.list.least, 1) },
  }
  const notEmpty = input.list !== null && isNever(input.list.items) ? without(kept, 'list') : kept
  return union(present(notEmpty), fallback)
}

function textsBut(type: NonNullable<Type['text']>, dropped: string): Type['text'] {
  const values = type.values?.filter((value) => value !== dropped) ?? null
  return values?.length === 0 ? null : { ...type, values }
}

export const defaultFilter: Filter = {
  name: 'default',
  text: 'the value, or another one if it is missing, null, false or empty',
  example: "{{ vars.nothing | default: 'none' }}",
  types: signature(anything, [null], typeOfDefault),
  cost: noCost,
  evaluate: 'liquidjs',
}
