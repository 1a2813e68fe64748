import type { AlertFetch, FetchId, FetchState } from '../../../domain/index.ts'

/** A fetch. While it is leased, `dueAt` is when the lease ends. */
export interface FetchDocument extends Omit<AlertFetch, 'id'> {
  readonly _id: FetchId
  readonly state: FetchState
  readonly dueAt: Date
  readonly holder: string | null
}
