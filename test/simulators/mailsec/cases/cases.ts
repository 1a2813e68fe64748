import { type Row, row } from '../paging.ts'

/** A phishing case of the beta API. Its id is a UUID, not `iss.1.…` (specification 2.6). */
export interface Case {
  readonly id: string
  readonly name: string
  readonly status: string
  readonly severity: string
  readonly entityType: string
  readonly detection: string
  readonly remediation: string
  /** The v1 id of its issue. */
  readonly issueId: string
  readonly messageCount: number
  readonly createdAt: string
  readonly updatedAt: string
}

export type Decision = Partial<Pick<Case, 'status' | 'remediation'>>

export class Cases {
  readonly #rows: Row<Case>[]
  readonly #now: () => string

  constructor(cases: readonly Case[], now: () => string) {
    this.#rows = cases.map(row)
    this.#now = now
  }

  get rows(): readonly Row<Case>[] {
    return this.#rows
  }

  get(id: string): Row<Case> | null {
    return this.#rows.find(({ value }) => value.id === id) ?? null
  }

  decide(id: string, decision: Decision): Case | null {
    const at = this.#rows.findIndex(({ value }) => value.id === id)
    const standing = this.#rows[at]
    if (!standing) return null
    const changed = row({ ...standing.value, ...decision, updatedAt: this.#now() })
    this.#rows[at] = changed
    return changed.value
  }
}
