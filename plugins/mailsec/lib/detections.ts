import type { Json } from '@tocsin/plugin'
import type { ItemResult } from './items.ts'
import { fieldsOf, notSaid, textOf } from './verdict.ts'

export type Detection = Readonly<Record<string, Json>>

const onWords = ['enabled', 'active', 'on', 'true']
const offWords = ['disabled', 'inactive', 'off', 'false']

/** The global default as a detection shows it; null where it does not. */
export function globalState(detection: Detection | undefined): boolean | null {
  if (detection === undefined) return null
  return stateIn(detection['enabled']) ?? stateIn(detection['status'])
}

function stateIn(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value
  const word = textOf(value)?.toLowerCase()
  if (word === undefined) return null
  return onWords.includes(word) ? true : offWords.includes(word) ? false : null
}

/** The overrides that a detection shows, by domain: a list of objects, or a map. Null where it shows none. */
export function overridesOf(detection: Detection): ReadonlyMap<string, boolean> | null {
  const shown = detection['domainOverrides']
  if (typeof shown !== 'object' || shown === null) return null
  const pairs = Array.isArray(shown)
    ? shown.map((entry): readonly [unknown, unknown] => [fieldsOf(entry)['domain'], fieldsOf(entry)])
    : Object.entries(shown)
  return new Map(
    pairs.flatMap(([domain, entry]) => {
      const name = textOf(domain)?.toLowerCase()
      const state = stateIn(entry) ?? stateIn(fieldsOf(entry)['enabled']) ?? stateIn(fieldsOf(entry)['state'])
      return name !== undefined && state !== null ? [[name, state] as const] : []
    }),
  )
}

/** By id. */
export function byId(detections: readonly Detection[]): ReadonlyMap<string, Detection> {
  return new Map(detections.map((detection) => [String(detection['id']), detection]))
}

/** What became of each detection whose overrides were to be set, by what the platform shows afterwards. */
export function overrideResults(
  ids: readonly string[],
  { enabled, domains }: { readonly enabled: boolean; readonly domains: readonly string[] },
  after: ReadonlyMap<string, Detection>,
): readonly ItemResult[] {
  return ids.map((id) => {
    const detection = after.get(id)
    const overrides = detection ? overridesOf(detection) : null
    if (overrides === null) return { id, status: 'unknown', error: notSaid }
    const missing = domains.filter((domain) => overrides.get(domain.toLowerCase()) !== enabled)
    if (missing.length === 0) return { id, status: 'done', error: null }
    const message = `The platform does not show the override of ${missing.slice(0, 5).join(', ')}.`
    return { id, status: 'failed', error: { code: 'not_applied', message } }
  })
}
