import type { Json } from '../../../domain/index.ts'
import { ofCharacters } from '../../cost.ts'
import { compareLong } from '../../long-integer.ts'
import { boolean, has, impossible, isAny, isNever, type Type, without } from '../../typing/model/index.ts'
import { kindOf, same } from '../../values.ts'
import type { Meter } from '../../work.ts'
import { type Argument, calledArgument, isLiteral, type OperatorCall } from '../call.ts'
import type { ValueOperator } from '../definition.ts'
import { durationHint } from '../duration.ts'
import { kindsOf } from './sides.ts'

/** Null can be compared with anything, to ask whether a value is null. Other different kinds are an error, not false. */
function equal(meter: Meter, a: Json | undefined, b: Json | undefined): boolean {
  // An integer is a text if it is beyond 2^53, and a number if not. Both are the same kind of value for an author.
  if ((typeof a === 'number' && typeof b === 'string') || (typeof a === 'string' && typeof b === 'number')) {
    meter.charge(ofCharacters(String(a).length + String(b).length))
    const order = compareLong(a, b)
    if (order !== null) return order === 0
  }
  if (a !== null && b !== null && kindOf(a) !== kindOf(b)) throw new Error(`compares ${kindOf(a)} with ${kindOf(b)}`)
  return same(meter, a, b)
}

/** `==`, `===`, `!=` and `!==` are one definition: they compare in the same way, negated or not. */
function equality(name: string, negated: boolean, text: string, example: Json): ValueOperator {
  return {
    name,
    text,
    example,
    from: 'json-logic',
    takes: [2, 2],
    infix: { written: name.slice(0, 2), binding: 4 },
    ofItself: !negated,
    evaluate: (meter, a, b) => equal(meter, a, b) !== negated,
    types(call) {
      const [a, b] = call.args
      if (a !== undefined && b !== undefined) compare(call, a, b, negated)
      return boolean
    },
  }
}

const so = (negated: boolean): string => (negated ? 'this is always true' : 'this is never true')

function compare(call: OperatorCall, a: Argument, b: Argument, negated: boolean): void {
  const [read, other] = isLiteral(a) && !isLiteral(b) ? [b, a] : [a, b]
  if (other.written === null || isNull(other.type)) return compareWithNull(call, read, other, negated)
  const wrong = impossible(read.type, other.type)
  if (wrong?.kinds === true) {
    call.tell(
      'types_never_equal',
      call.at,
      `\`${call.name}\` compares ${kindsOf(read)} with ${kindsOf(other)}, which is an error${wayOut(read, other)}`,
    )
  } else if (wrong !== null) {
    call.tell('value_never_equal', other.at, `${so(negated)}: ${wrong.message}`, wrong.misspelt)
  } else if (Array.isArray(other.written) && (other.written as readonly Json[]).length > 1 && read.type.list !== null && !isAny(read.type)) {
    call.tell(
      'logic_pitfall',
      call.at,
      `\`${call.name}\` of lists compares item by item, in their order; to ask whether a value is one of several, use \`in\``,
    )
  }
}

function isNull(type: Type): boolean {
  return type.null && isNever(without(type, 'null'))
}

function compareWithNull(call: OperatorCall, read: Argument, other: Argument, negated: boolean): void {
  if (read.type.null || isNever(read.type)) return
  call.tell(
    'comparison_constant',
    other.at,
    `${so(negated)}: ${calledArgument(read)} is never null; if it may be missing, give it a default: {"var": [path, null]}`,
  )
}

/** What to write instead of a comparison of different kinds. Empty if that is not known. */
function wayOut(read: Argument, other: Argument): string {
  if (other.type.list !== null && read.type.list === null) return '; to ask whether a value is one of several, use `in`'
  if (read.type.list !== null && other.type.list === null) return '; to ask whether a list holds a value, use `in`'
  const { written } = other
  if (typeof written === 'string' && has(read.type, 'boolean') && /^(?:true|false)$/.test(written)) return `; write ${written} without quotes`
  if (typeof written === 'string' && has(read.type, 'number') && written.trim() !== '' && Number.isFinite(Number(written)))
    return `; write ${written} without quotes`
  if (typeof written === 'number' && has(read.type, 'text')) return `; write "${written}" with quotes`
  return typeof written === 'string' ? durationHint(written) : ''
}

export const equalities = [
  equality(
    '==',
    false,
    'whether two values are equal, including everything inside them; null compares with anything, other different types are an error',
    {
      '==': [{ var: 'vars.ip' }, '10.1.2.3'],
    },
  ),
  equality('===', false, 'the same as `==`', { '===': [1, 1] }),
  equality('!=', true, 'whether two values differ', { '!=': [{ var: 'vars.user' }, ''] }),
  equality('!==', true, 'the same as `!=`', { '!==': [1, 2] }),
] as const
