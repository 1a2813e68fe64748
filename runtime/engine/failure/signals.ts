import type { Failure, Json, Millis, PauseId } from '../../domain/index.ts'

/** Another execution of the run has taken over. This one must stop. */
export class Superseded extends Error {
  override readonly name = 'Superseded'
}

/** This process stops working on the run without ending it. The next claim continues from the journal. */
export class GivenUp extends Error {
  override readonly name = 'GivenUp'
}

/** A step failed. The run fails too, unless an `on_error` handles it. */
export class StepFailed extends Error {
  override readonly name = 'StepFailed'
  readonly failure: Failure
  /** The known part of the step's output. Undefined: nothing is known. */
  readonly output: Json | undefined

  constructor(failure: Failure, output?: Json) {
    super(failure.message)
    this.failure = failure
    this.output = output
  }
}

/** A step was skipped because its target is protected. */
export class StepSkipped extends Error {
  override readonly name = 'StepSkipped'
  /** The reason, in words. */
  readonly why: string

  constructor(why: string) {
    super(why)
    this.why = why
  }
}

/** A `stop` step was reached. */
export class Stopped extends Error {
  override readonly name = 'Stopped'
  readonly outcome: 'completed' | 'failed'
  readonly reason: string | null

  constructor(outcome: 'completed' | 'failed', reason: string | null) {
    super(reason ?? outcome)
    this.outcome = outcome
    this.reason = reason
  }
}

/** What the journal records about a `stop`. */
export type StopOf = Pick<Stopped, 'outcome' | 'reason'>

/** The branch was cancelled. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled'

  constructor() {
    super('the branch was cancelled')
  }
}

/**
 * The run sleeps, and its job ends. It is executed again when its time has come. No `on_error` catches this.
 */
export class Sleeping extends Error {
  override readonly name = 'Sleeping'
  /** When to wake it. Null: when a person has answered. */
  readonly wakeAt: Millis | null
  /**
   * Whether the run must not end before that, even if nothing waits for the branch any more: a write in doubt
   * must be settled.
   */
  readonly binding: boolean

  /** The pause that stopped a write. Null: it waits for something else. */
  readonly pause: PauseId | null

  constructor(wakeAt: Millis | null, binding = false, pause: PauseId | null = null) {
    super('the run sleeps')
    this.wakeAt = wakeAt
    this.binding = binding
    this.pause = pause
  }
}

/** The run fails as a whole: a limit was reached, or the journal contradicts it. No `on_error` catches this. */
export class RunFailed extends Error {
  override readonly name = 'RunFailed'
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.message)
    this.failure = failure
  }
}

/**
 * Picks which of several concurrent errors wins. The order: this process no longer has the run; a binding
 * wait (a write in doubt is settled first); an error that ends the run; another wait; a failed step; a
 * `stop`. Among equals the first wins. Among waits the earliest wake time wins.
 */
export function mostUrgentError(thrown: readonly unknown[]): unknown {
  const [first] = thrown.toSorted((a, b) => rank(a) - rank(b))
  if (!(first instanceof Sleeping)) return first
  const asleep = thrown.filter((error) => error instanceof Sleeping)
  const times = asleep.flatMap(({ wakeAt }) => (wakeAt === null ? [] : [wakeAt]))
  return new Sleeping(
    times.length === 0 ? null : Math.min(...times),
    asleep.some(({ binding }) => binding),
    asleep.find(({ pause }) => pause !== null)?.pause ?? null,
  )
}

function rank(error: unknown): number {
  if (error instanceof Stopped) return 5
  if (error instanceof StepFailed) return 4
  if (error instanceof Sleeping) return error.binding ? 1 : 3
  if (error instanceof RunFailed) return 2
  return 0
}
