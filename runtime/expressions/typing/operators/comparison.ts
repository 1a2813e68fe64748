import type { Json } from '../../../domain/index.ts'
import { misspelling } from '../../../yaml/index.ts'
import { boolean, describe, has, impossible, isAny, isNever, showKinds, type Type, typeOfValue, without } from '../model/index.ts'
import { type Argument, calledArgument, isLiteral, need, type OperatorCall, type OperatorType } from './call.ts'
import { durationHint } from './time.ts'

function equality(negated: boolean): OperatorType {
  return (call) => {
    const [a, b] = call.args
    if (a !== undefined && b !== undefined) compare(call, a, b, negated)
    return boolean
  }
}

const so = (negated: boolean): string => (negated ? 'this is always so' : 'this is never so')

function compare(call: OperatorCall, a: Argument, b: Argument, negated: boolean): void {
  const [read, other] = isLiteral(a) && !isLiteral(b) ? [b, a] : [a, b]
  if (other.written === null || isNull(other.type)) return compareWithNull(call, read, other, negated)
  const wrong = impossible(read.type, other.type)
  if (wrong?.kinds === true) {
    call.tell(
      'types_never_equal',
      call.at,
      `\`${call.name}\` compares ${kindsOf(read)} with ${kindsOf(other)}, which is an error when it is decided${wayOut(call, read, other)}`,
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
    `${so(negated)}: ${calledArgument(read)} is never null; what may be missing is read with a default: {"var": [path, null]}`,
  )
}

function kindsOf(argument: Argument): string {
  const kinds = showKinds(without(argument.type, 'null'))
  const name = calledArgument(argument)
  return name.startsWith('`') ? `${kinds} (${name})` : kinds
}

function wayOut(_call: OperatorCall, read: Argument, other: Argument): string {
  if (other.type.list !== null && read.type.list === null) return '; to ask whether a value is one of several, use `in`'
  if (read.type.list !== null && other.type.list === null) return '; to ask whether a list holds a value, use `in`'
  const { written } = other
  if (typeof written === 'string' && has(read.type, 'boolean') && /^(?:true|false)$/.test(written)) return `; write ${written} without quotes`
  if (typeof written === 'string' && has(read.type, 'number') && written.trim() !== '' && Number.isFinite(Number(written)))
    return `; write ${written} without quotes`
  if (typeof written === 'number' && has(read.type, 'text')) return `; write "${written}" with quotes`
  return typeof written === 'string' ? durationHint(written) : ''
}

const flipped: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' }

/** A length is never below 0, so that some comparisons of it always come out the same. */
function lengthCompared(call: OperatorCall): void {
  const [a, b] = call.args
  if (call.args.length !== 2 || a === undefined || b === undefined) return
  const [limit, operator] = isLength(a.written) ? [b, call.name] : isLength(b.written) ? [a, flipped[call.name]] : [undefined, '']
  if (typeof limit?.written !== 'number') return
  const { written } = limit
  const always = (operator === '>=' && written <= 0) || (operator === '>' && written < 0)
  const never = (operator === '<' && written <= 0) || (operator === '<=' && written < 0)
  if (!always && !never) return
  call.tell(
    'comparison_constant',
    limit.at,
    `this is ${always ? 'always' : 'never'} so: a length is 0 or more${always && written === 0 ? '; did you mean `> 0`?' : ''}`,
  )
}

function isLength(written: Json): boolean {
  return typeof written === 'object' && written !== null && !Array.isArray(written) && Object.keys(written)[0] === 'length'
}

/** Two numbers or two texts. */
function ordered(call: OperatorCall): Type {
  const fit = call.args.map((_, index) => need(call, index, ['number', 'text'], 'two numbers or two texts'))
  if (fit.includes(false)) return boolean
  lengthCompared(call)
  for (const [index, b] of call.args.entries()) {
    const a = call.args[index - 1]
    if (a === undefined) continue
    const both = (['number', 'text'] as const).some((kind) => has(a.type, kind) && has(b.type, kind))
    if (both) continue
    const words = [a, b].map(({ written }) => (typeof written === 'string' ? durationHint(written) : '')).join('')
    call.tell('operand_type', call.at, `\`${call.name}\` needs two numbers or two texts, not ${kindsOf(a)} and ${kindsOf(b)}${words}`)
  }
  return boolean
}

/** `in` of a list: which of the values that are written can never be found. */
export function listed(call: OperatorCall): void {
  const [value, where] = call.args
  if (value === undefined || where === undefined || isAny(value.type)) return
  if (!Array.isArray(where.written)) {
    const items = where.type.list?.items
    if (items === undefined || where.type.text !== null || isAny(where.type)) return
    const wrong = value.type.null && items.null ? null : impossible(items, value.type)
    if (wrong !== null) call.tell('value_never_equal', value.at, `this is never so: ${wrong.message}`, wrong.misspelt)
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

export const comparisonOperators: Readonly<Record<string, OperatorType>> = {
  '==': equality(false),
  '===': equality(false),
  '!=': equality(true),
  '!==': equality(true),
  '<': ordered,
  '<=': ordered,
  '>': ordered,
  '>=': ordered,
}
