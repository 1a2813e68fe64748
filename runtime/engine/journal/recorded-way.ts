import type { Json } from '../../domain/index.ts'

/**
 * The way that a recorded run took. An engine that rehearses this run takes the same way, as far as it depended on
 * how long things took.
 */
export interface RecordedWay {
  /** Choices that this execution takes over, by their address in the journal. */
  readonly decided: Readonly<Record<string, Json>>
  /** Choices that this execution makes again when it comes to them, by their address in the journal. */
  readonly foreseen: Readonly<Record<string, Json>>
  /** The addresses of the steps that began a call, a script or a question, or that were skipped. */
  readonly passed: ReadonlySet<string>
  /**
   * Returns whether a branch was cancelled or stopped before it came to this step, which calls something or runs a
   * script. Only branches that the recorded run cancelled or stopped ask, right before the step begins.
   *
   * @param last the branch passed neither this step nor a later one
   */
  isBehind(address: string, last: boolean): boolean
}

/** A step that calls something or runs a script, in the rehearsal of a recorded run. */
export interface RecordedStep {
  readonly passed: boolean
  isBehind(last: boolean): boolean
}
