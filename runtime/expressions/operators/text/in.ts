import type { Json } from '../../../domain/index.ts'
import { misspelling } from '../../../yaml/index.ts'
import { ofSearch } from '../../cost.ts'
import { boolean, describe, impossible, isAny, isNever, type Type, typeOfValue, without } from '../../typing/model/index.ts'
import { listOf, same, textOf } from '../../values.ts'
import type { Meter } from '../../work.ts'
import { type Argument, isLiteral, need, type OperatorCall } from '../call.ts'
import type { ValueOperator } from '../definition.ts'

function occurs(meter: Meter, value: Json | undefined, where: Json | undefined): boolean {
  if (typeof where !== 'string') return listOf(where).some((item) => same(meter, item, value))
  const part = textOf(value)
  meter.charge(ofSearch(where, part))
  return where.includes(part)
}

function types(call: OperatorCall): Type {
  tellNeverFound(call)
  const [value, where] = call.args
  if (value === undefined || where === undefined) return boolean
  const swapped =
    isNever(without(where.type, 'null')) || where.type.list !== null || where.type.text !== null
      ? false
      : value.type.list !== null || value.type.text !== null
  if (swapped) {
    call.tell('operand_type', where.at, `\`in\` takes the value first and then the list or text to search; the second is ${describe(where.type)}`)
    return boolean
  }
  if (!need(call, 1, ['list', 'text'], 'a list or a text as its second')) return boolean
  if (where.type.list === null && where.type.text !== null) return withinText(call, value, where)
  return boolean
}

function withinText(call: OperatorCall, value: Argument, where: Argument): Type {
  if (value.type.list !== null && value.type.text === null) {
    call.tell('operand_type', value.at, '`in` takes the value first and then the list to search; these are swapped')
    return boolean
  }
  if (!need(call, 0, ['text'], 'a text to look for in a text')) return boolean
  if (isLiteral(where) && !isLiteral(value)) {
    call.tell(
      'arguments_swapped',
      call.at,
      `this asks whether the value is a part of ${JSON.stringify(where.written)}; to look for that text in the value, swap the two`,
    )
  }
  return boolean
}

/** Reports a value that is never in the list, and constants in the list that are never found. */
function tellNeverFound(call: OperatorCall): void {
  const [value, where] = call.args
  if (value === undefined || where === undefined || isAny(value.type)) return
  if (!Array.isArray(where.written)) {
    const items = where.type.list?.items
    if (items === undefined || where.type.text !== null || isAny(where.type)) return
    const wrong = value.type.null && items.null ? null : impossible(items, value.type)
    if (wrong !== null) call.tell('value_never_equal', value.at, `this is never true: ${wrong.message}`, wrong.misspelt)
    return
  }
  for (const [index, item] of (where.written as readonly Json[]).entries()) {
    if (typeof item === 'object' && item !== null) continue
    const at = [...where.at, index]
    if (item === null) continue
    const wrong = impossible(value.type, typeOfValue(item))
    if (wrong === null) continue
    const near = typeof item === 'string' && !wrong.kinds ? misspelling(item, value.type.text?.values ?? []) : {}
    call.tell(
      'value_never_equal',
      at,
      `${JSON.stringify(item)} is never found: ${wrong.kinds ? wrong.message : `the value is ${describe(value.type)}`}`,
      near.misspelt,
    )
  }
}

export const isIn: ValueOperator = {
  name: 'in',
  text: 'whether a text occurs in a text, or a value in a list',
  example: { in: ['vip', { var: 'vars.tags' }] },
  from: 'json-logic',
  takes: [2, 2],
  infix: { written: 'in', binding: 4 },
  ofItself: null,
  evaluate: (meter, value, where) => occurs(meter, value, where),
  types,
}
