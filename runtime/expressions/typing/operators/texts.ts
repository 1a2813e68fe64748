import { compilePattern } from '../../pattern/index.ts'
import { Meter, mostFolded } from '../../work.ts'
import { boolean, describe, isNever, type Type, valuesOf, without } from '../model/index.ts'
import { type Argument, isLiteral, need, type OperatorCall, type OperatorType } from './call.ts'

/** The texts that an argument may be; null when they are not all known, or it may be something else. */
export function textsOf(argument: Argument | undefined): readonly string[] | null {
  if (argument === undefined) return null
  const values = valuesOf(argument.type)
  return values?.every((value) => typeof value === 'string') === true && values.length > 0 ? (values as readonly string[]) : null
}

/** Of a text whose values are all known, whether any passes. */
function decided(call: OperatorCall, passes: (value: string, other: string) => boolean): Type {
  const [values, other] = call.args
  const texts = textsOf(values)
  if (other === undefined || values === undefined || isLiteral(values) || typeof other.written !== 'string' || texts === null) return boolean
  const { written } = other
  if (!texts.some((text) => passes(text, written)))
    call.tell('value_never_equal', other.at, `this is never so: the value is ${describe(values.type)}`)
  return boolean
}

function beginning(passes: (value: string, other: string) => boolean): OperatorType {
  return (call) => {
    const fit = [need(call, 0, ['text'], 'a text'), need(call, 1, ['text'], 'a text')]
    return fit.includes(false) ? boolean : decided(call, passes)
  }
}

function matches(call: OperatorCall): Type {
  const [value, pattern] = call.args
  const fit = [need(call, 0, ['text'], 'a text'), need(call, 1, ['text'], 'a pattern: a text')]
  if (fit.includes(false) || value === undefined || pattern === undefined) return boolean
  if (isLiteral(value) && !isLiteral(pattern)) {
    call.tell('arguments_swapped', call.at, '`matches` takes the text first and then the pattern; these seem to be swapped')
    return boolean
  }
  const meter = new Meter(null, mostFolded)
  return decided(call, (text, source) => {
    try {
      return compilePattern(source).test(text, meter)
    } catch {
      // Its own finding; or too much to find out here.
      return true
    }
  })
}

/** A text in a text, or a value in a list. */
export function within(call: OperatorCall): Type {
  const [value, where] = call.args
  if (value === undefined || where === undefined) return boolean
  const swapped =
    isNever(without(where.type, 'null')) || where.type.list !== null || where.type.text !== null
      ? false
      : value.type.list !== null || value.type.text !== null
  if (swapped) {
    call.tell(
      'operand_type',
      where.at,
      `\`in\` takes the value first and then the list or text that it is looked for in; the second is ${describe(where.type)}`,
    )
    return boolean
  }
  if (!need(call, 1, ['list', 'text'], 'a list or a text as its second')) return boolean
  if (where.type.list === null && where.type.text !== null) return withinText(call, value, where)
  return boolean
}

function withinText(call: OperatorCall, value: Argument, where: Argument): Type {
  if (value.type.list !== null && value.type.text === null) {
    call.tell('operand_type', value.at, '`in` takes the value first and then the list that it is looked for in; these are swapped')
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

export const textOperators: Readonly<Record<string, OperatorType>> = {
  starts_with: beginning((value, start) => value.startsWith(start)),
  ends_with: beginning((value, end) => value.endsWith(end)),
  matches,
}
