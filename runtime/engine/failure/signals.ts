import type { Failure, Json, Millis, PauseId } from '../../domain/index.ts'

/** Another life of the run has taken over: this one must not do anything more. */
export class Superseded extends Error {
  override readonly name = 'Superseded'
}

/** This process gives the run up without ending it. The next claim goes on from the journal. */
export class GivenUp extends Error {
  override readonly name = 'GivenUp'
}

/** A step failed, and with it the run, unless an `on_error` above says otherwise. */
export class StepFailed extends Error {
  override readonly name = 'StepFailed'
  readonly failure: Failure
  /** As much of the step's output as is known; undefined: nothing is. */
  readonly output: Json | undefined

  constructor(failure: Failure, output?: Json) {
    super(failure.message)
    this.failure = failure
    this.output = output
  }
}

/** A step was left out: what it acts on is protected. */
export class StepSkipped extends Error {
  override readonly name = 'StepSkipped'
  /** Why, in words. */
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

/** The branch that it is thrown in was cancelled. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled'

  constructor() {
    super('the branch was cancelled')
  }
}

/** The run waits, and ends its job: it is walked again when its time has come. No `on_error` catches it. */
export class Sleeping extends Error {
  override readonly name = 'Sleeping'
  /** Null: until a person has answered. */
  readonly wakeAt: Millis | null
  /** Whether the run may not end before, even where nothing waits for the branch any more: a write in doubt is settled. */
  readonly binding: boolean

  /** What stopped a write; null: it waits for something else. */
  readonly pause: PauseId | null

  constructor(wakeAt: Millis | null, binding = false, pause: PauseId | null = null) {
    super('the run sleeps')
    this.wakeAt = wakeAt
    this.binding = binding
    this.pause = pause
  }
}

/** The run fails as a whole: a limit was reached, or the journal says otherwise. No `on_error` catches it. */
export class RunFailed extends Error {
  override readonly name = 'RunFailed'
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.message)
    this.failure = failure
  }
}

/**
 * The error that counts when parallel parts throw several. In this order: this process no longer has the run; a binding wait (a write in doubt is
 * settled first); what ends the run; another wait; what fails a step; a `stop`. Among equals the first counts, among waits the one that wakes
 * first.
 */
export function foremost(thrown: readonly unknown[]): unknown {
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
