import { ofKeys } from '../../cost.ts'
import type { Meter } from '../../work.ts'
import type { Cost } from '../definition.ts'

/** More deeply nested values are refused. */
const deepest = 200

/** For filters that give JSON. @throws Error if the value is nested too deeply; WorkExceeded */
export const asJson: Cost = (meter, value) => charge(meter, value, deepest)

function charge(meter: Meter, value: unknown, levels: number): void {
  if (typeof value === 'string') return meter.charge(10 + value.length / 2)
  if (typeof value !== 'object' || value === null) return meter.charge(25)
  if (levels === 0) throw new Error(`a value of more than ${deepest} levels has no JSON`)
  meter.charge(25)
  if (Array.isArray(value)) {
    for (const item of value as readonly unknown[]) charge(meter, item, levels - 1)
    return
  }
  const keys = Object.keys(value)
  meter.charge(ofKeys(keys.length))
  for (const key of keys) {
    meter.charge(key.length / 2)
    charge(meter, (value as Readonly<Record<string, unknown>>)[key], levels - 1)
  }
}
