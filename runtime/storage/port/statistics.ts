import type { AlertOutcome, AlertUuid, Millis, OrganizationId, RunId, RunState, Scope } from '../../domain/index.ts'

/** A part of the alerts or runs of a time range: the next ones, newest first. */
export interface StatisticsPart<Id> {
  readonly organizations?: readonly OrganizationId[]
  /** Only what was created, or started, at this time or later. */
  readonly from: Millis
  /** Only what was created, or started, before this time. */
  readonly to: Millis
  /** The position where the previous part ended. */
  readonly after: { readonly at: Millis; readonly id: Id } | null
  /** The most alerts or runs in this part. It keeps the time of one call short. */
  readonly examine: number
}

/** The number of durations in one step of the scale (`runtime/domain/runs/duration-scale.ts`). */
interface DurationCount {
  readonly step: number
  readonly count: number
}

export interface AlertFigures {
  /** How many alerts were created in each hour. `hour` is its beginning. `provider` is in lower case. */
  readonly hours: readonly { readonly hour: Millis; readonly provider: string; readonly outcome: AlertOutcome; readonly count: number }[]
  /** The times from creation to completion of the completed alerts. */
  readonly verdicts: readonly DurationCount[]
  /** Where this part ended. Null if it had fewer than `examine`. */
  readonly next: { readonly at: Millis; readonly id: AlertUuid } | null
}

export interface RunFigures {
  /** How many runs each playbook had in each state, and the start of the last one. */
  readonly states: readonly { readonly playbook: string; readonly state: RunState; readonly count: number; readonly lastStartedAt: Millis }[]
  /** The times from start to end of the completed runs. */
  readonly durations: readonly (DurationCount & { readonly playbook: string })[]
  /** Where this part ended. Null if it had fewer than `examine`. */
  readonly next: { readonly at: Millis; readonly id: RunId } | null
}

/** Figures about many alerts and runs. They come from the same indexes by time as lists. */
export interface StatisticsStore {
  alerts(scope: Scope, part: StatisticsPart<AlertUuid>): Promise<AlertFigures>
  /** Attempts only. Undos are examined, but not counted. */
  runs(scope: Scope, part: StatisticsPart<RunId>): Promise<RunFigures>
}
