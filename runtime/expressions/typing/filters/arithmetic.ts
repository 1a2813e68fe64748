import { integer, type Kind, number, type Type } from '../model/index.ts'
import { type FilterCall, type FilterSignature, numbers, signature } from '../../filters/signature.ts'

const numeric: readonly Kind[] = ['number']

const isInteger = (type: Type | undefined): boolean => type?.number?.integer === true && type.text === null

/** Integers make integers. */
function sameSort({ input, args }: FilterCall): Type {
  return isInteger(input) && args.every(isInteger) ? integer : number
}

export const arithmeticFilters: Readonly<Record<string, FilterSignature>> = {
  plus: signature(numbers, [numeric], sameSort),
  minus: signature(numbers, [numeric], sameSort),
  times: signature(numbers, [numeric], sameSort),
  modulo: signature(numbers, [numeric], sameSort),
  at_least: signature(numbers, [numeric], sameSort),
  at_most: signature(numbers, [numeric], sameSort),
  divided_by: signature(numbers, [numeric, ['boolean']], () => number, { least: 1 }),
  abs: signature(numbers, [], sameSort),
  ceil: signature(numbers, [], () => integer),
  floor: signature(numbers, [], () => integer),
  round: signature(numbers, [numeric], ({ args }) => (args.length === 0 ? integer : number), { least: 0 }),
}
