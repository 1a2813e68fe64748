import type { Millis, RunId, SessionId } from '../../../domain/index.ts'

/** Who claimed a run, and when. */
export interface FirstClaim {
  readonly owner: SessionId
  readonly at: Millis
}

/** One append to the journal of a run. */
export interface JournalDocument {
  /** Unique, so that each position is taken once. This is the fence. */
  readonly _id: { readonly run: RunId; readonly position: number }
  readonly epoch: number
  readonly format: 1
  /** JSON, because an answer of an external system may have keys and depths that MongoDB refuses. */
  readonly records: string
  /** Set when a run ends. Removed once all projections of the end are written. `settle` looks for it. */
  readonly unsettled?: true
  /** JSON of the timeline entries of the run's end, so that any process can settle it. */
  readonly entries?: string
}
