import type { Failure, Json } from '../domain/index.ts'
import type { PlanStep } from '../playbook/index.ts'

/** What of a run changes while it is walked. */
export interface Observed {
  readonly vars: Readonly<Record<string, Json>>
  readonly caseView: Readonly<Record<string, Json>>
}

/** Looks on while a run is walked, and changes nothing of it. A resumed run is walked from its beginning again. */
export interface RunObserver {
  /** The walk begins. What it is given goes on to change with the run. */
  began?(walk: Observed): void
  /** A step is reached; its modifier `if` has not been looked at yet. */
  entered(address: string, step: PlanStep): void
  /** A step failed, whatever its `on_error` makes of that. */
  failed(address: string, step: PlanStep, failure: Failure): void
}
