import { timeOf } from '../../time.ts'
import { boolean, describe, isAny, number } from '../model/index.ts'
import { need, type OperatorCall, type OperatorType } from './call.ts'
import { textsOf } from './texts.ts'

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** For who compares a number with a duration: how many milliseconds that is. */
export function durationHint(text: string): string {
  const [, amount, unit = ''] = /^(\d+)(ms|s|m|h|d)$/.exec(text) ?? []
  return amount === undefined ? '' : `; ${text} is ${Number(amount) * (units[unit] ?? 1)} milliseconds`
}

/** Formats of texts that are no times. */
const noTimes = new Set(['email', 'domain', 'hostname', 'ip', 'ipv4', 'ipv6', 'cidr-range', 'uri', 'uuid'])
const needs = 'a time: epoch milliseconds or an ISO 8601 text'

function needTime(call: OperatorCall, index: number): void {
  const argument = call.args[index]
  if (argument === undefined || !need(call, index, ['number', 'text'], needs) || argument.type.number !== null) return
  const { type, at } = argument
  const texts = textsOf(argument)
  const never = texts?.every((text) => timeOf(text) === undefined) ?? (noTimes.has(type.text?.format ?? '') && !isAny(type))
  if (!never) return
  const duration = texts?.length === 1 ? durationHint(texts[0] ?? '') : ''
  const way = duration === '' ? '' : `${duration}; to ask how long ago a time was, compare its \`age\``
  call.tell('operand_type', at, `\`${call.name}\` needs ${needs}, not ${describe(type)}${way}`)
}

function order(call: OperatorCall): typeof boolean {
  needTime(call, 0)
  needTime(call, 1)
  return boolean
}

export const timeOperators: Readonly<Record<string, OperatorType>> = {
  before: order,
  after: order,
  age: (call) => {
    needTime(call, 0)
    return number
  },
}
