import type { Json } from '../../../domain/index.ts'
import { ofText } from '../../cost.ts'
import { list, listOf as listType } from '../../typing/model/index.ts'
import { listOf } from '../../values.ts'
import type { Meter } from '../../work.ts'
import { need } from '../call.ts'
import type { ValueOperator } from '../definition.ts'
import { keysOf } from './keys-of.ts'

/** Keeps the first of equal items. */
function distinct(meter: Meter, values: readonly Json[]): Json[] {
  const found = new Map<string, Json>()
  for (const value of values) {
    const key = canonical(meter, value)
    meter.charge(10)
    if (!found.has(key)) found.set(key, value)
  }
  return [...found.values()]
}

/** More deeply nested values have no canonical text. */
const deepest = 200

/**
 * Returns a text that is the same for equal values. The order of an object's keys does not matter.
 * @throws Error if the value is nested too deeply; WorkExceeded
 */
function canonical(meter: Meter, value: Json, levels = deepest): string {
  // Each level copies the text of the levels below it.
  const charged = (text: string): string => {
    meter.charge(10 + text.length / 2)
    return text
  }
  if (typeof value !== 'object' || value === null) {
    meter.charge(ofText(value))
    return charged(JSON.stringify(value))
  }
  if (levels === 0) throw new Error(`compares values of more than ${deepest} levels`)
  if (Array.isArray(value)) return charged(`[${(value as readonly Json[]).map((item) => canonical(meter, item, levels - 1)).join(',')}]`)
  const names = keysOf(meter, value).sort()
  const members = value as { readonly [key: string]: Json }
  return charged(`{${names.map((key) => `${charged(JSON.stringify(key))}:${canonical(meter, members[key] ?? null, levels - 1)}`).join(',')}}`)
}

export const unique: ValueOperator = {
  name: 'unique',
  text: 'the list without repeated items',
  example: { unique: { var: 'vars.tags' } },
  from: 'tocsin',
  takes: [1, 1],
  evaluate: (meter, value) => distinct(meter, listOf(value)),
  types(call) {
    const [argument] = call.args
    return need(call, 0, ['list'], 'a list') && argument?.type.list != null ? listType(argument.type.list.items) : list
  },
}
