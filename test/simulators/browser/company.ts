import type { Kind, Records } from './records.ts'

export type Listings = { readonly [K in Kind]: readonly Records[K][] }

/** The company: its records by kind, in the order of creation. */
export class Company {
  #records: { [K in Kind]: readonly Records[K][] }
  /** How often each record was changed or deleted. */
  readonly writes = new Map<string, number>()

  constructor(seed: Listings) {
    this.#records = seed
  }

  list<K extends Kind>(kind: K): readonly Records[K][] {
    return this.#records[kind]
  }

  find<K extends Kind>(kind: K, id: string): Records[K] | null {
    return this.list(kind).find((record) => record.id === id) ?? null
  }

  /** Sets the given fields. Returns null if there is no such record. */
  update<K extends Kind>(kind: K, id: string, change: Partial<Records[K]>): Records[K] | null {
    const standing = this.find(kind, id)
    if (!standing) return null
    const changed = { ...standing, ...change }
    this.#put(
      kind,
      this.list(kind).map((record) => (record.id === id ? changed : record)),
      id,
    )
    return changed
  }

  remove<K extends Kind>(kind: K, id: string): boolean {
    if (!this.find(kind, id)) return false
    this.#put(
      kind,
      this.list(kind).filter((record) => record.id !== id),
      id,
    )
    return true
  }

  #put<K extends Kind>(kind: K, records: readonly Records[K][], id: string): void {
    this.#records = { ...this.#records, [kind]: records }
    this.writes.set(id, (this.writes.get(id) ?? 0) + 1)
  }
}
