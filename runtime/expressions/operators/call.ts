import type { Json } from '../../domain/index.ts'
import type { DocumentPath, Misspelling } from '../../yaml/index.ts'
import { boolean, describe, has, isAny, isNever, type Kind, show, type Type, valuesOf, without } from '../typing/model/index.ts'
import type { ProblemCode } from '../typing/problem.ts'

/** One argument of an operator, with its place in the rule. */
export interface Argument {
  readonly type: Type
  readonly written: Json
  readonly at: DocumentPath
}

/** One use of an operator, for checking types. */
export interface OperatorCall {
  readonly name: string
  readonly at: DocumentPath
  readonly args: readonly Argument[]
  tell(code: ProblemCode, at: DocumentPath, message: string, misspelt?: Misspelling): void
}

/** Returns the name of an argument in messages: the path that it reads, else its type. */
export function calledArgument({ written, type }: Argument): string {
  const path =
    typeof written === 'object' && written !== null && !Array.isArray(written) ? (written as Readonly<Record<string, Json>>)['var'] : undefined
  const [text] = [path].flat()
  return typeof text === 'string' && text !== '' ? `\`${text}\`` : describe(type)
}

/**
 * Reports an argument that can be of none of these kinds, or that may be null.
 * @param needs what the operator needs, in words for the message: `a number`
 * @returns false if the argument can be of none of them
 */
export function need(call: OperatorCall, index: number, kinds: readonly Kind[], needs: string): boolean {
  const argument = call.args[index]
  if (argument === undefined) return true
  const { type, at } = argument
  if (isAny(type) || isNever(type)) return true
  const name = calledArgument(argument)
  const value = without(type, 'null')
  if (!kinds.some((kind) => has(type, kind))) {
    const is = name.startsWith('`') ? `${name} is ${describe(isNever(value) ? type : value)}` : describe(isNever(value) ? type : value)
    call.tell('operand_type', at, `\`${call.name}\` needs ${needs}, not ${is.startsWith('`') ? `${is.slice(is.indexOf(' is ') + 4)} (${name})` : is}`)
    return false
  }
  if (type.null && !kinds.includes('null')) {
    call.tell(
      'value_may_be_null',
      at,
      `${name} (${show(type)}) may be null, and \`${call.name}\` needs ${needs}; use \`and\` to check first that it is not null`,
    )
  }
  return true
}

/** Types for an operator whose arguments must all be of these kinds. */
export function each(kinds: readonly Kind[], needs: string, result: (call: OperatorCall) => Type): (call: OperatorCall) => Type {
  return (call) => {
    for (const index of call.args.keys()) need(call, index, kinds, needs)
    return result(call)
  }
}

/** Returns whether an argument is a constant and not a rule or a list. */
export function isLiteral({ written }: Argument): boolean {
  return typeof written !== 'object' || written === null
}

/** Returns all texts that an argument can be. Null if they are not known, or if it can be something else. */
export function textsOf(argument: Argument | undefined): readonly string[] | null {
  if (argument === undefined) return null
  const values = valuesOf(argument.type)
  return values?.every((value) => typeof value === 'string') === true && values.length > 0 ? (values as readonly string[]) : null
}

/** For a test of a text against a constant: reports if none of the known texts can pass. */
export function decided(call: OperatorCall, passes: (value: string, other: string) => boolean): Type {
  const [values, other] = call.args
  const texts = textsOf(values)
  if (other === undefined || values === undefined || isLiteral(values) || typeof other.written !== 'string' || texts === null) return boolean
  const { written } = other
  if (!texts.some((text) => passes(text, written)))
    call.tell('value_never_equal', other.at, `this is never true: the value is ${describe(values.type)}`)
  return boolean
}
