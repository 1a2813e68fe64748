import { isObject, type Json } from '../../../domain/index.ts'
import { ofKeys } from '../../cost.ts'
import { kindOf } from '../../values.ts'
import type { Meter } from '../../work.ts'

/** Returns the names of an object's members. Charges for listing them. */
export function keysOf(meter: Meter, value: Json | undefined): string[] {
  if (!isObject(value)) throw new Error(`needs an object, not ${kindOf(value)}`)
  const keys = Object.keys(value)
  meter.charge(ofKeys(keys.length))
  return keys
}
