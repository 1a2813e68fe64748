import { type Release, Slots, type Turns } from '../../fairness/index.ts'

/** Bytes of an answer from which on it counts as large. */
const large = 1024 * 1024

/** Calls of one process that may have a large answer in memory at once. An answer of 20 MiB can make values of 100 MB. */
const callsAtOnce = 16

/** How answers are read, however large they are: in turns of the event loop, and so many large ones at once. Tenants share both. */
export class Answers {
  readonly #slots = new Slots(callsAtOnce)
  readonly #turns: Turns

  constructor(turns: Turns) {
    this.#turns = turns
  }

  /** @param tenant whose call it is */
  forCall(tenant: string): CallAnswers {
    return new CallAnswers(this.#slots, this.#turns, tenant)
  }
}

/** The answers to one call: it needs one slot, however many of them are large. */
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
   * @throws the signal's reason when it aborts before
   */
  async admit(bytes: number, signal: AbortSignal): Promise<void> {
    if (bytes < large || this.#left) return
    this.#slot ??= this.#slots.take(this.tenant, signal)
    await this.#slot
  }

  /** The call has ended: nothing of its answers is held any more. */
  leave(): void {
    this.#left = true
    this.#slot?.then(
      (release) => release(),
      () => {},
    )
  }
}
