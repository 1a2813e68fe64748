import type { AlertFetch, FetchId, FetchState } from '../../../domain/index.ts'

/** A fetch. While it is leased, `dueAt` is when the lease ends. */
export interface FetchDocument extends Omit<AlertFetch, 'id' | 'input'> {
  readonly _id: FetchId
  /** JSON: a name in it may have what MongoDB refuses, such as a NUL. */
  readonly input: string
  readonly state: FetchState
  readonly dueAt: Date
  readonly holder: string | null
  /** When the latest attempt took its lease. Absent: none has, or before this was kept. */
  readonly begunAt?: Date
}
