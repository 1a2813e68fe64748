import type { Json } from '../../../domain/index.ts'
import { ofCharacters } from '../../cost.ts'
import { type Type, text, typeOfValue, unionOf } from '../../typing/model/index.ts'
import { textOf } from '../../values.ts'
import type { Meter } from '../../work.ts'
import { need, type OperatorCall } from '../call.ts'

/** Returns a text. Charges for reading it. */
export function chargedText(meter: Meter, value: Json | undefined): string {
  const given = textOf(value)
  meter.charge(ofCharacters(given.length))
  return given
}

/** Changes the case of a text. The few characters that become several take far longer than the others. */
export function cased(meter: Meter, value: Json | undefined, change: (text: string) => string): string {
  const given = textOf(value)
  meter.charge(1 + given.length / 2)
  const changed = change(given)
  meter.charge(Math.max(changed.length - given.length, 0) * 4)
  return changed
}

/** Types for a function of one text. If all its possible values are known, so are those of the result. */
export function mapped(apply: (value: string) => string): (call: OperatorCall) => Type {
  return (call) => {
    need(call, 0, ['text'], 'a text')
    const values = call.args[0]?.type.text?.values
    return values == null ? text : unionOf(values.map((value) => typeOfValue(apply(value))))
  }
}
