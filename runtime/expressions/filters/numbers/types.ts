import { integer, number, type Type } from '../../typing/model/index.ts'
import type { FilterCall } from '../signature.ts'

const isInteger = (type: Type | undefined): boolean => type?.number?.integer === true && type.text === null

/** Returns the type of the result: an integer if the value and all arguments are integers. */
export function integerIfAll({ input, args }: FilterCall): Type {
  return isInteger(input) && args.every(isInteger) ? integer : number
}
