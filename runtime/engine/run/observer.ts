import type { Failure, Json, PinnedConnection } from '../../domain/index.ts'
import type { Context } from '../../expressions/index.ts'
import type { PlanStep } from '../../playbook/index.ts'

/** The parts of a run that change while it is executed. */
export interface Observed {
  readonly vars: Readonly<Record<string, Json>>
  readonly caseView: Readonly<Record<string, Json>>
  /** The playbook's inputs, as read from the alert. */
  readonly inputs: Readonly<Record<string, Json>>
}

/** What a step sees when it is reached. The context changes as the run continues, so read it at once. */
export interface StepView {
  readonly context: Context
  /** Names of the run's playbook and of the sub-playbooks that the step is in. */
  readonly playbooks: readonly string[]
  /** The connection of a slot of the step's playbook. */
  connection(slot: string): PinnedConnection | undefined
  /** Whether the run still repeats what an earlier execution did. Changes as the run continues. */
  replaying(): boolean
}

/** Watches a run without changing it. A resumed run is observed from its first step again. */
export interface RunObserver {
  /** The execution begins. The object changes as the run continues. */
  began?(execution: Observed): void
  /** A step is reached. Its `if` has not been evaluated yet. The run waits for the returned promise. */
  entered(address: string, step: PlanStep, view: StepView): void | Promise<void>
  /** A step failed, whatever its `on_error` does about it. */
  failed(address: string, step: PlanStep, failure: Failure): void
  /**
   * A step has ended. `left` is its result: `{ status, output?, error? }`. `why` says why it was skipped.
   * Null: it was not skipped, or its `if` was false.
   */
  left?(address: string, step: PlanStep, left: Json, why: string | null): void
  /** A `stop` was reached. */
  stopped?(address: string, step: PlanStep, reason: string | null): void
}
