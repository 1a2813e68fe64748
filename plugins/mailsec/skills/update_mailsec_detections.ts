import type { CallError, Handler, Json } from '@tocsin/plugin'
import { byId, type Detection, globalState, overrideResults } from '../lib/detections.ts'
import { type ItemResult, itemResults, type Judge } from '../lib/items.ts'
import { reasonIn } from '../lib/verdict.ts'

interface Input {
  readonly detection_ids: readonly string[]
  readonly enabled: boolean
  readonly scope: 'domains' | 'global'
  readonly domains?: readonly string[]
}

interface Output {
  readonly detections: Json
  readonly results?: readonly ItemResult[]
}

const address = '/detections'
const changedGlobally = { status: 'failed', error: { code: 'domains_ignored', message: 'The platform changed its global default.' } } as const
const notLooked = { code: 'no_result', message: 'The platform accepted the request, but its result could not be read.' }

/**
 * Sets the global default, or the overrides of domains. A request for overrides has `domains` beside `enabled`. A platform that does not know
 * `domains` would change the global default. So we read each detection before and after. If a default has changed, we restore it and fail the call.
 */
export default (async ({ input, http, fail, log, partial }): Promise<Output> => {
  const { detection_ids: ids, enabled, scope, domains = [] } = input
  const look = async (): Promise<ReadonlyMap<string, Detection>> => {
    const found = await http.getAll<Detection>(address, { query: { id: ids, limit: 100 }, paginate: 'manifest', max: 1_000 })
    return byId(found.filter((one: Detection | null) => one !== null && ids.includes(String(one['id']))))
  }
  if (scope === 'global') {
    const { body } = await http.patch<unknown>(address, { ids, enabled })
    const results = itemResults(ids, body, globally(enabled))
    return { detections: listIn(body), ...(results && { results }) }
  }

  const before = await look()
  const dark = ids.filter((id) => globalState(before.get(id)) === null)
  if (dark.length > 0) fail('default_not_known', `It does not show the default of ${dark.slice(0, 5).join(', ')}.`)
  await http.patch(address, { ids, enabled, domains })
  const after = await look().catch((error: Partial<CallError>) => {
    log.warn('cannot read the detections after the change', { code: error.code ?? null })
    return null
  })
  if (after === null) return { detections: null, results: ids.map((id) => ({ id, status: 'unknown', error: notLooked })) }
  const told = overrideResults(ids, { enabled, domains }, after)
  const fell = ids.filter((id) => globalState(after.get(id)) === enabled && globalState(before.get(id)) !== enabled)
  if (fell.length > 0) {
    log.warn('the platform changed the global default instead of the domains; restoring it', { detections: fell })
    // In case the answer to the restoration is lost.
    partial({ detections: null, results: told.map((result) => (fell.includes(result.id) ? { ...result, ...changedGlobally } : result)) })
    const refused = await http.patch(address, { ids: fell, enabled: !enabled }).then(() => null, codeOf)
    const now = await look().catch(() => new Map<string, Detection>())
    const left = fell.filter((id) => globalState(now.get(id)) !== !enabled)
    const why = refused === null ? '' : ` (${refused})`
    const state = left.length === 0 ? 'Tocsin restored it.' : `Tocsin could not restore it for ${left.join(', ')}${why}.`
    fail('domains_ignored', `The platform changed the global default of ${fell.join(', ')}. ${state}`)
  }
  const detections = ids.flatMap((id) => after.get(id) ?? [])
  return { detections, results: told }
}) satisfies Handler<Input>

function codeOf(error: Partial<CallError>): string {
  return error.code ?? 'refused'
}

/** Returns what judges the result for a detection. If the answer shows the detection, its own state decides. */
function globally(wanted: boolean): Judge {
  return (entry) => {
    const state = globalState(entry as Detection)
    if (state === null || reasonIn(entry) !== null) return null
    if (state === wanted) return { status: 'done', error: null }
    return { status: 'failed', error: { code: 'not_applied', message: `The platform shows it ${state ? 'enabled' : 'disabled'}.` } }
  }
}

function listIn(body: unknown): Json {
  if (Array.isArray(body)) return body as Json
  const items = typeof body === 'object' && body !== null && 'items' in body ? body.items : null
  return Array.isArray(items) ? (items as Json) : null
}
