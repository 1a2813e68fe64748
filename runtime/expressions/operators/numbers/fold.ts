import { integer, isAny, number, type Type } from '../../typing/model/index.ts'
import { numberOf } from '../../values.ts'
import { each, type OperatorCall } from '../call.ts'
import type { Evaluate } from '../definition.ts'

/** @throws Error for infinity and NaN, which JSON does not have */
export function finite(value: number): number {
  if (!Number.isFinite(value)) throw new Error('does not give a number')
  return value
}

/** Evaluates a chain of numbers from left to right. */
export function fold(step: (a: number, b: number) => number): Evaluate {
  return (_meter, ...values) => finite(values.map(numberOf).reduce(step))
}

/** Types for arguments that must all be numbers. */
export const ofNumbers = (result: (call: OperatorCall) => Type): ((call: OperatorCall) => Type) => each(['number'], 'numbers', result)

/** Returns the type of the result: an integer if all arguments are integers. */
export function integerIfAll({ args }: OperatorCall): Type {
  return args.every(({ type }) => type.number?.integer === true && !isAny(type)) ? integer : number
}
