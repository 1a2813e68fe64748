import type { Reply } from '../faults.ts'
import { isBoolean, isListOf, isText, withBody } from './checks.ts'
import { pageOf, type Row, row } from './paging.ts'
import { badRequest, notFound } from './replies.ts'
import { type Call, paged, type Route } from './route.ts'
import { rolloutStates, severities } from './vocabulary.ts'

export interface Detection {
  readonly id: string
  readonly name: string
  /** `enabled` or `disabled`, as the list shape wants a status. */
  readonly status: string
  /** For every domain without an override. */
  readonly enabled: boolean
  readonly severity: string
  readonly rolloutState: string
  readonly configuration: { readonly threshold: string }
  readonly domainOverrides: readonly { readonly domain: string; readonly enabled: boolean }[]
  readonly issueCounts: { readonly open: number; readonly total: number }
}

interface DetectionsChange {
  readonly ids: readonly string[]
  readonly enabled: boolean
  readonly domains?: readonly string[]
}

export const detectionRoutes: readonly Route[] = [
  {
    path: ['detections'],
    methods: {
      GET: {
        role: 'any_admin_role',
        query: { ...paged, id: null, severity: severities, enabled: ['true', 'false'], rolloutState: rolloutStates },
        repeatable: ['id'],
        answer: listDetections,
      },
      PATCH: { role: 'analyst', query: {}, answer: changeDetections },
    },
  },
]

/** The detection rules of the tenant. */
export class Detections {
  readonly #rows: Row<Detection>[]
  /** Of the tenant: the only ones an override may name. */
  readonly #domains: readonly string[]

  constructor(detections: readonly Detection[], domains: readonly string[]) {
    this.#rows = detections.map(row)
    this.#domains = domains
  }

  get rows(): readonly Row<Detection>[] {
    return this.#rows
  }

  isDomain(domain: string): boolean {
    return this.#domains.includes(domain)
  }

  /** Changes the global default, or the overrides of these domains and nothing else. Null when an id is unknown, and then nothing changed. */
  change({ ids, enabled, domains }: DetectionsChange): readonly Detection[] | null {
    const places = ids.map((id) => this.#rows.findIndex(({ value }) => value.id === id))
    if (places.includes(-1)) return null
    return places.map((at) => {
      const standing = (this.#rows[at] as Row<Detection>).value
      const changed = domains
        ? { ...standing, domainOverrides: overridden(standing, domains, enabled) }
        : { ...standing, enabled, status: enabled ? 'enabled' : 'disabled' }
      this.#rows[at] = row(changed)
      return changed
    })
  }
}

function overridden({ domainOverrides }: Detection, domains: readonly string[], enabled: boolean): Detection['domainOverrides'] {
  return [...domainOverrides.filter(({ domain }) => !domains.includes(domain)), ...domains.map((domain) => ({ domain, enabled }))]
}

function listDetections({ request, tenant, query }: Call): Reply {
  const ids = query.getAll('id')
  const fits = (detection: Detection): boolean =>
    (ids.length === 0 || ids.includes(detection.id)) &&
    (query.get('severity') ?? detection.severity) === detection.severity &&
    (query.get('rolloutState') ?? detection.rolloutState) === detection.rolloutState &&
    (query.get('enabled') ?? String(detection.enabled)) === String(detection.enabled)
  return pageOf(tenant.detections.rows, fits, query, request.path)
}

function changeDetections(call: Call): Reply {
  const names = isListOf(isText, { least: 1, most: 100 })
  return withBody<DetectionsChange>(call, { ids: names, enabled: isBoolean, domains: names }, ['ids', 'enabled'], (change) => {
    const { detections } = call.tenant
    const stranger = change.domains?.find((domain) => !detections.isDomain(domain))
    if (stranger !== undefined) return badRequest(`${stranger} is no domain of the tenant.`)
    const changed = detections.change(change)
    return changed ? { status: 200, body: JSON.stringify({ items: changed }), written: true } : notFound('detection')
  })
}
