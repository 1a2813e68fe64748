import type { Decision, Failure, Json, Millis } from '../../domain/index.ts'

/**
 * The way that a recorded run took. An engine that rehearses this run takes the same way, as far as it depended on
 * how long things took.
 */
export interface RecordedWay {
  /** Choices that this execution takes over, by their address in the journal. */
  readonly decided: Readonly<Record<string, Json>>
  /** Choices that this execution makes again when it comes to them, by their address in the journal. */
  readonly foreseen: Readonly<Record<string, Json>>
  /** The addresses of the steps that began a call, a script or a question, wrote into the case, or were skipped. */
  readonly passed: ReadonlySet<string>
  /** Whether the rehearsal has the playbook of the recorded run, without an edit. */
  readonly own: boolean
  /** How the time limit ended the recorded run. Null: it did not. */
  readonly timedOut: Failure | null
  /** Times that do not count towards the time limit, because the recorded run waited for people or was held. */
  readonly uncounted: readonly { readonly from: Millis; readonly to: Millis }[]
  /**
   * Returns whether a branch was cancelled or stopped before it came to this step, which leaves a trace in the journal
   * or the case. Only branches that the recorded run cancelled or stopped ask, right before the step begins.
   *
   * @param last the branch passed neither this step nor a later one
   */
  isBehind(address: string, last: boolean): boolean
  /**
   * Resolves when the recorded run went on after a wait. It may have gone on in another process, while its other
   * branches were at work, so the rehearsal does not sleep. Null: it did not go on, or nobody knows when.
   *
   * @param until when the wait is over at the earliest
   */
  waited(address: string, until: Millis): Promise<void> | null
  /** Resolves when the recorded run got the outcome of a script. */
  scripted(address: string): Promise<void>
  /** Lets people close a decision, when they did in the recorded run. Resolves false if they leave it open. */
  closes(decision: Decision): Promise<boolean>
}

/** A step that leaves a trace in the journal or the case, in the rehearsal of a recorded run. */
export interface RecordedStep {
  readonly passed: boolean
  isBehind(last: boolean): boolean
}
