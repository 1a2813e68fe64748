import { hash } from 'node:crypto'
import { type Row, row } from '../paging.ts'
import type { TrustedKind } from '../vocabulary.ts'

export interface TrustedEntity {
  readonly id: string
  readonly name: string
  /** `enabled` or `disabled`. Listings need a status. */
  readonly status: string
  readonly kind: TrustedKind
  readonly value: string
  readonly enabled: boolean
  /** Entities that `system` manages cannot be deleted (specification 2.6). */
  readonly managedBy: 'tenant' | 'system'
  readonly detectionSettings: { readonly skip?: readonly string[] }
  readonly authenticationSettings: { readonly requireSpf?: boolean; readonly requireDkim?: boolean; readonly requireDmarc?: boolean }
  readonly createdAt: string
  readonly updatedAt: string
}

/** A line of an entity's audit (specification 4.4, behaviour rule 7). */
export interface TrustedChange {
  readonly id: string
  readonly name: 'created' | 'updated'
  readonly status: 'recorded'
  readonly at: string
  readonly changes: object
}

export type TrustedSettings = Partial<Pick<TrustedEntity, 'name' | 'enabled' | 'detectionSettings' | 'authenticationSettings'>>

/** The reasons to refuse an operation on an entity. */
export type TrustedRefusal = 'not_found' | 'already_exists' | 'system_managed'

/**
 * The tenant's trusted entities with their audits. Deleting an entity deletes its audit. Its id is
 * not used again.
 */
export class TrustedEntities {
  readonly #entities = new Map<string, Row<TrustedEntity>>()
  readonly #audit = new Map<string, Row<TrustedChange>[]>()
  readonly #now: () => string
  #made = 0

  constructor(now: () => string) {
    this.#now = now
  }

  get rows(): readonly Row<TrustedEntity>[] {
    return [...this.#entities.values()]
  }

  get(id: string): Row<TrustedEntity> | null {
    return this.#entities.get(id) ?? null
  }

  historyOf(id: string): readonly Row<TrustedChange>[] {
    return this.#audit.get(id) ?? []
  }

  create(
    kind: TrustedKind,
    value: string,
    settings: TrustedSettings,
    managedBy: TrustedEntity['managedBy'] = 'tenant',
  ): TrustedEntity | TrustedRefusal {
    const known = this.rows.some((other) => other.value.kind === kind && other.value.value.toLowerCase() === value.toLowerCase())
    if (known) return 'already_exists'
    this.#made += 1
    const id = `ent.1.${hash('sha256', `${this.#made}`, 'buffer').subarray(0, 10).toString('base64')}`
    const enabled = settings.enabled ?? true
    const now = this.#now()
    const standing = {
      name: value,
      detectionSettings: {},
      authenticationSettings: {},
      ...settings,
      enabled,
      status: enabled ? 'enabled' : 'disabled',
    }
    const entity: TrustedEntity = { id, ...standing, kind, value, managedBy, createdAt: now, updatedAt: now }
    this.#entities.set(id, row(entity))
    this.#note(id, 'created', { kind, value, ...settings })
    return entity
  }

  update(id: string, settings: TrustedSettings): TrustedEntity | TrustedRefusal {
    const standing = this.#entities.get(id)?.value
    if (!standing) return 'not_found'
    const enabled = settings.enabled ?? standing.enabled
    const changed: TrustedEntity = { ...standing, ...settings, enabled, status: enabled ? 'enabled' : 'disabled', updatedAt: this.#now() }
    this.#entities.set(id, row(changed))
    this.#note(id, 'updated', settings)
    return changed
  }

  delete(id: string): TrustedRefusal | null {
    const standing = this.#entities.get(id)?.value
    if (!standing) return 'not_found'
    if (standing.managedBy === 'system') return 'system_managed'
    this.#entities.delete(id)
    this.#audit.delete(id)
    return null
  }

  #note(id: string, name: TrustedChange['name'], changes: object): void {
    const lines = this.#audit.get(id) ?? []
    lines.push(row({ id: `${id}/${lines.length + 1}`, name, status: 'recorded', at: this.#now(), changes }))
    this.#audit.set(id, lines)
  }
}
