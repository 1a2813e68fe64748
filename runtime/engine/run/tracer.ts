import type { Alert, Run } from '../../domain/index.ts'
import type { RunObserver } from './observer.ts'

/** How one execution of a run ended. `waiting`: the run sleeps. `abandoned`: another execution continues it. */
export interface RunEnd {
  readonly state: 'completed' | 'failed' | 'waiting' | 'abandoned'
  /** The error code of a failed run, or null. */
  readonly code: string | null
}

/** The trace of one execution of a run. */
export interface RunTrace extends RunObserver {
  /** The execution is over. Only the first call counts. */
  over(end: RunEnd): void
}

/** Makes traces of runs. */
export interface RunTracer {
  begin(run: Run, alert: Alert): RunTrace
}
