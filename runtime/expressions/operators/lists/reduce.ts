import { any, boolean, list, objectOf, type Type, text, union } from '../../typing/model/index.ts'
import { inLoop, type RuleUse } from '../../typing/rules/scope.ts'
import type { SpecialOperator } from '../definition.ts'
import type { Compile } from '../part.ts'
import { itemTypeOf, listIn, overItems } from './loop.ts'

const compile: Compile = ([list = null, body = null, initial = null], compilePart) => {
  const items = compilePart(list)
  const part = compilePart(body)
  const first = compilePart(initial)
  return (data, evaluation) => {
    const given = listIn(items(data, evaluation))
    let accumulator = first(data, evaluation)
    overItems('reduce', given, evaluation, (current) => {
      accumulator = part({ current, accumulator }, evaluation)
      return true
    })
    return accumulator
  }
}

function types(use: RuleUse): Type {
  const { args, place, scope, read } = use
  const item = itemTypeOf(use)
  const start = read(args[2] ?? null, place(2), scope)
  // The result of one iteration is the accumulator of the next. So only the kinds of the first value are kept.
  const accumulator = widened(start)
  return union(start, read(args[1] ?? null, place(1), inLoop(objectOf({ current: item, accumulator }))))
}

/** Returns a type of the same kinds, with any values. */
function widened(type: Type): Type {
  return {
    ...type,
    boolean: type.boolean.length > 0 ? boolean.boolean : [],
    number: type.number === null ? null : { ...type.number, integer: false, values: null },
    text: type.text === null ? null : text.text,
    list: type.list === null ? null : list.list,
    object: type.object === null ? null : any.object,
  }
}

export const reduce: SpecialOperator = {
  name: 'reduce',
  text: 'one value made from all items; inside, `var` reads `current` and `accumulator`',
  example: { reduce: [[1, 2, 3], { '+': [{ var: 'current' }, { var: 'accumulator' }] }, 0] },
  from: 'json-logic',
  takes: [3, 3],
  readsContext: false,
  loops: true,
  compile,
  types,
}
