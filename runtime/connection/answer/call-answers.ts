import { type Release, Slots, type Turns } from '../../fairness/index.ts'

/** An answer of at least this many bytes counts as large. */
const large = 1024 * 1024

/**
 * How many calls of a process may have a large answer in memory at once. 20 MiB of JSON can become
 * 100 MB of values.
 */
const callsAtOnce = 16

/**
 * Limits what reading answers costs a process. Long answers are read in turns of the event loop,
 * and only a few large ones at once. Tenants share both fairly.
 */
export class Answers {
  readonly #slots = new Slots(callsAtOnce)
  readonly #turns: Turns

  constructor(turns: Turns) {
    this.#turns = turns
  }

  /** @param tenant the tenant that makes the call */
  forCall(tenant: string): CallAnswers {
    return new CallAnswers(this.#slots, this.#turns, tenant)
  }
}

/** The answers to one call. The call takes one slot, however many of its answers are large. */
export class CallAnswers {
  readonly turns: Turns
  readonly tenant: string
  readonly #slots: Slots
  #slot: Promise<Release> | null = null
  #left = false

  constructor(slots: Slots, turns: Turns, tenant: string) {
    this.#slots = slots
    this.turns = turns
    this.tenant = tenant
  }

  /**
   * Waits until an answer of this size may be read.
   * @throws the signal's reason if it aborts while waiting
   */
  async admit(bytes: number, signal: AbortSignal): Promise<void> {
    if (bytes < large || this.#left) return
    this.#slot ??= this.#slots.take(this.tenant, signal)
    await this.#slot
  }

  /** Frees the slot. The caller must have ended the call and dropped its answers. */
  leave(): void {
    this.#left = true
    this.#slot?.then(
      (release) => release(),
      () => {},
    )
  }
}
