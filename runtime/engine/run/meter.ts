import type { Millis, RunState } from '../../domain/index.ts'

/** Counts runs. */
export interface RunMeter {
  /** The first run of an alert has started. @param waited since the alert was created */
  started(waited: Millis): void
  /** The end of a run is stored. `code`: the error code of a failed run, or null. `lasted`: since it started */
  ended(run: { readonly undo: boolean; readonly state: RunState; readonly code: string | null; readonly lasted: Millis }): void
}
