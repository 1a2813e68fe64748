import type { Failure, Json, PinnedConnection } from '../domain/index.ts'
import type { Context } from '../expressions/index.ts'
import type { PlanStep } from '../playbook/index.ts'

/** What of a run changes while it is walked. */
export interface Observed {
  readonly vars: Readonly<Record<string, Json>>
  readonly caseView: Readonly<Record<string, Json>>
  /** Of the playbook, as they were read from the alert. */
  readonly inputs: Readonly<Record<string, Json>>
}

/** What a step sees when it is reached. The context goes on to change with the run: what is wanted of it is to be taken at once. */
export interface StepView {
  readonly context: Context
  /** Names: the playbook of the run, and the sub-playbooks that the step is in. */
  readonly playbooks: readonly string[]
  /** What a slot of the step's playbook stands for. */
  connection(slot: string): PinnedConnection | undefined
}

/** Looks on while a run is walked, and changes nothing of it. A resumed run is walked from its beginning again. */
export interface RunObserver {
  /** The walk begins. What it is given goes on to change with the run. */
  began?(walk: Observed): void
  /** A step is reached; its modifier `if` has not been looked at yet. The walk waits for what is returned. */
  entered(address: string, step: PlanStep, view: StepView): void | Promise<void>
  /** A step failed, whatever its `on_error` makes of that. */
  failed(address: string, step: PlanStep, failure: Failure): void
  /** A step has ended, and leaves this under its id: `{ status, output?, error? }`; of one that was left out, why. */
  left?(address: string, step: PlanStep, left: Json, why: string | null): void
  /** A `stop` was reached. */
  stopped?(address: string, step: PlanStep, reason: string | null): void
}
