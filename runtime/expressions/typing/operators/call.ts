import type { Json } from '../../../domain/index.ts'
import type { DocumentPath, Misspelling } from '../../../yaml/index.ts'
import { describe, has, isAny, isNever, type Kind, show, type Type, without } from '../model/index.ts'
import type { ProblemCode } from '../problem.ts'

/** One argument of an operator: its type, how it is written, and where. */
export interface Argument {
  readonly type: Type
  readonly written: Json
  readonly at: DocumentPath
}

/** One use of an operator. */
export interface OperatorCall {
  readonly name: string
  readonly at: DocumentPath
  readonly args: readonly Argument[]
  tell(code: ProblemCode, at: DocumentPath, message: string, misspelt?: Misspelling): void
}

/** Checks a use of an operator and says what it makes. */
export type OperatorType = (call: OperatorCall) => Type

/** An argument as messages call it: a path that it reads, or its type. */
export function calledArgument({ written, type }: Argument): string {
  const path =
    typeof written === 'object' && written !== null && !Array.isArray(written) ? (written as Readonly<Record<string, Json>>)['var'] : undefined
  const [text] = [path].flat()
  return typeof text === 'string' && text !== '' ? `\`${text}\`` : describe(type)
}

/**
 * Checks that an argument may be of one of these kinds.
 * @param needs what the operator needs, with its article
 * @returns whether it may
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
      `${name} (${show(type)}) may be null, and \`${call.name}\` needs ${needs}; ask with \`and\` whether it is null before`,
    )
  }
  return true
}

/** Whether an argument is written out, and not read. */
export function isLiteral({ written }: Argument): boolean {
  return typeof written !== 'object' || written === null
}
