import type { Json } from '@tocsin/plugin'
import type { ItemResult } from './items.ts'
import { fieldsOf, notSaid, textOf } from './verdict.ts'

export type Detection = Readonly<Record<string, Json>>

const onWords = ['enabled', 'active', 'on', 'true', 'yes', '1']
const offWords = ['disabled', 'inactive', 'off', 'false', 'no', '0']

/** Returns the global default of a detection, or null if the detection does not show it. */
export function globalState(detection: Detection | undefined): boolean | null {
  if (detection === undefined) return null
  return stateIn(detection['enabled']) ?? stateIn(detection['status'])
}

function stateIn(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value
  const word = typeof value === 'number' ? String(value) : textOf(value)?.toLowerCase()
  if (word === undefined) return null
  return onWords.includes(word) ? true : offWords.includes(word) ? false : null
}

interface Overrides {
  readonly states: ReadonlyMap<string, boolean>
  /** Whether every entry could be read. */
  readonly whole: boolean
}

/** Returns the overrides of a detection, by domain, or null if none can be read. The platform may give a list of objects or a map. */
function overridesOf(detection: Detection): Overrides | null {
  const shown = detection['domainOverrides']
  if (typeof shown !== 'object' || shown === null) return null
  const pairs = Array.isArray(shown) ? shown.map((entry) => [undefined, entry] as const) : Object.entries(shown)
  const states = pairs.flatMap(([key, entry]) => {
    const fields = fieldsOf(entry)
    const domain = (textOf(fields['domain']) ?? key)?.toLowerCase()
    const state = stateIn(entry) ?? stateIn(fields['enabled']) ?? stateIn(fields['state'])
    return domain !== undefined && state !== null ? [[domain, state] as const] : []
  })
  return pairs.length > 0 && states.length === 0 ? null : { states: new Map(states), whole: states.length === pairs.length }
}

export function byId(detections: readonly Detection[]): ReadonlyMap<string, Detection> {
  return new Map(detections.map((detection) => [String(detection['id']), detection]))
}

/**
 * Returns the result for each detection whose overrides were set, from what the platform shows afterwards. If the overrides cannot be read, we
 * trust the platform's success. It must still show the global default, because then the caller knows that the default has not changed.
 */
export function overrideResults(
  ids: readonly string[],
  { enabled, domains }: { readonly enabled: boolean; readonly domains: readonly string[] },
  after: ReadonlyMap<string, Detection>,
): readonly ItemResult[] {
  return ids.map((id) => {
    const detection = after.get(id)
    const overrides = detection ? overridesOf(detection) : null
    const missing = domains.filter((domain) => overrides?.states.get(domain.toLowerCase()) !== enabled)
    if (missing.length === 0) return { id, status: 'done', error: null }
    if (globalState(detection) === null) return { id, status: 'unknown', error: notSaid }
    if (!overrides?.whole) return { id, status: 'done', error: null }
    const message = `The platform does not show the override of ${missing.slice(0, 5).join(', ')}.`
    return { id, status: 'failed', error: { code: 'not_applied', message } }
  })
}
