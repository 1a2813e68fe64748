import type { Json } from '../../../domain/index.ts'
import { type TextFormatName, textFormatNames } from '../../../formats/index.ts'
import { timeOf } from '../../time.ts'
import { describe, isAny } from '../../typing/model/index.ts'
import { kindOf } from '../../values.ts'
import type { Meter, Work } from '../../work.ts'
import { need, type OperatorCall, textsOf } from '../call.ts'
import { durationHint } from '../duration.ts'

/** The work of reading a time. */
const ofMoment: Work = 60

/** Epoch milliseconds. @throws Error if the value is not a time */
export function momentOf(meter: Meter, value: Json | undefined): number {
  meter.charge(ofMoment)
  const time = timeOf(value)
  if (time === undefined) {
    throw new Error(`needs epoch milliseconds or an ISO 8601 time, not ${typeof value === 'string' ? `\`${value.slice(0, 60)}\`` : kindOf(value)}`)
  }
  return time
}

const timeFormats: readonly TextFormatName[] = ['date', 'date-time']
/** Formats of texts that are never times. */
const otherFormats = new Set<string>(textFormatNames.filter((name) => !timeFormats.includes(name)))
const needs = 'a time: epoch milliseconds or an ISO 8601 text'

/** Reports an argument that is certainly not a time. */
export function needTime(call: OperatorCall, index: number): void {
  const argument = call.args[index]
  if (argument === undefined || !need(call, index, ['number', 'text'], needs) || argument.type.number !== null) return
  const { type, at } = argument
  const texts = textsOf(argument)
  const never = texts?.every((text) => timeOf(text) === undefined) ?? (otherFormats.has(type.text?.format ?? '') && !isAny(type))
  if (!never) return
  const duration = texts?.length === 1 ? durationHint(texts[0] ?? '') : ''
  const way = duration === '' ? '' : `${duration}; to ask how long ago a time was, compare its \`age\``
  call.tell('operand_type', at, `\`${call.name}\` needs ${needs}, not ${describe(type)}${way}`)
}
