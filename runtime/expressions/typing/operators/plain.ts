import { boolean, integer, isAny, isNever, type Kind, list, listOf, number, type Type, text, typeOfValue, unionOf } from '../model/index.ts'
import { need, type OperatorCall, type OperatorType } from './call.ts'

const scalars: readonly Kind[] = ['text', 'number', 'boolean']

/** Every argument must be of these kinds. */
function each(kinds: readonly Kind[], needs: string, result: (call: OperatorCall) => Type): OperatorType {
  return (call) => {
    for (const index of call.args.keys()) need(call, index, kinds, needs)
    return result(call)
  }
}

const ofNumbers = (result: (call: OperatorCall) => Type): OperatorType => each(['number'], 'numbers', result)

/** Integers make integers. */
function sameSort({ args }: OperatorCall): Type {
  return args.every(({ type }) => type.number?.integer === true && !isAny(type)) ? integer : number
}

/** A function of one text, over every value that it may have. */
function mapped(apply: (value: string) => string): OperatorType {
  return (call) => {
    need(call, 0, ['text'], 'a text')
    const values = call.args[0]?.type.text?.values
    return values == null ? text : unionOf(values.map((value) => typeOfValue(apply(value))))
  }
}

const ofTexts: OperatorType = each(['text'], 'texts', () => boolean)

function merged({ args }: OperatorCall): Type {
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

/** Operators whose arguments each need a kind, and nothing more. */
export const plainOperators: Readonly<Record<string, OperatorType>> = {
  '+': ofNumbers(sameSort),
  '*': ofNumbers(sameSort),
  '-': ofNumbers(sameSort),
  '%': ofNumbers(sameSort),
  min: ofNumbers(sameSort),
  max: ofNumbers(sameSort),
  '/': ofNumbers(() => number),
  cat: each(scalars, 'texts, numbers and booleans', () => text),
  substr: (call) => {
    need(call, 0, ['text'], 'a text')
    need(call, 1, ['number'], 'a number')
    need(call, 2, ['number'], 'a number')
    return text
  },
  lower: mapped((value) => value.toLowerCase()),
  upper: mapped((value) => value.toUpperCase()),
  trim: mapped((value) => value.trim()),
  starts_with: ofTexts,
  ends_with: ofTexts,
  merge: merged,
  length: (call) => {
    need(call, 0, ['list', 'text', 'object'], 'a list, a text or an object')
    return integer
  },
  keys: (call) => {
    need(call, 0, ['object'], 'an object')
    return listOf(text)
  },
  unique: (call) => {
    const [argument] = call.args
    return need(call, 0, ['list'], 'a list') && argument?.type.list != null ? listOf(argument.type.list.items) : list
  },
}
