import { type Row, row } from '../paging.ts'

export interface Detection {
  readonly id: string
  readonly name: string
  /** `enabled` or `disabled`. Listings need a status. */
  readonly status: string
  /** Applies to every domain without an override. */
  readonly enabled: boolean
  readonly severity: string
  readonly rolloutState: string
  readonly configuration: { readonly threshold: string }
  readonly domainOverrides: readonly { readonly domain: string; readonly enabled: boolean }[]
  readonly issueCounts: { readonly open: number; readonly total: number }
}

export interface DetectionsChange {
  readonly ids: readonly string[]
  readonly enabled: boolean
  readonly domains?: readonly string[]
}

/** The tenant's detection rules. */
export class Detections {
  readonly #rows: Row<Detection>[]
  /** The tenant's domains. Overrides may name no others. */
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

  /**
   * Changes the global default, or only the overrides of these domains. Returns null and changes
   * nothing if an id is unknown.
   */
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
