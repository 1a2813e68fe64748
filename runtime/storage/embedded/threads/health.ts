import type { Clock, Millis } from '../../../domain/index.ts'
import { TocsinError } from '../../../errors/index.ts'
import type { Notice } from '../files/index.ts'
import type { Told } from './channel.ts'

/** How long `mustBeWell` fails after a disk fault, even if the disk works again. */
const rememberFault: Millis = 10_000

/** Tracks from the reports of its threads whether an open store works. */
export class Health {
  readonly #clock: Clock
  readonly #report: (notice: Notice) => void
  readonly #refuseWrites: (error: TocsinError | null) => void
  #trouble: string | null = null
  #damage: string | null = null
  #fault: { readonly message: string; readonly at: Millis } | null = null

  /**
   * @param refuseWrites called with an error when nothing may be written, and with null when writes are
   * allowed again
   */
  constructor(clock: Clock, report: (notice: Notice) => void, refuseWrites: (error: TocsinError | null) => void) {
    this.#clock = clock
    this.#report = report
    this.#refuseWrites = refuseWrites
  }

  hear(told: Told): void {
    switch (told.kind) {
      case 'notice':
        return this.#report(told.notice)
      case 'trouble':
        this.#trouble = told.why
        // While the thread is not busy, it refuses calls itself, and it notices when the trouble is over.
        this.#refuseWrites(told.busy ? unavailable(told.why ?? '') : null)
        if (this.#damage !== null) this.#refuseDamaged()
        return
      case 'fault':
        return this.#note(told.message)
      case 'failed':
        if (told.failure.fault === 'damaged') this.damaged([told.failure.message])
        else this.#note(told.failure.message)
        return
      case 'checking':
      case 'checked':
        return
    }
  }

  /** Stops all writes to a damaged database, because more writes would increase the damage. */
  damaged(problems: readonly string[]): void {
    if (this.#damage !== null) return
    this.#damage = `The database is damaged (${problems[0] ?? ''}). Nothing is acknowledged until Tocsin is started again. The start checks the whole database.`
    this.#report({ level: 'error', message: `${this.#damage} ${problems.slice(1).join('; ')}`.trimEnd() })
    this.#refuseDamaged()
  }

  /** @throws TocsinError `store_unavailable` if the store has a fault, or had one in the last 10 seconds */
  mustBeWell(): void {
    const why = this.#damage ?? this.#trouble
    if (why !== null) throw unavailable(why)
    if (this.#fault && this.#isRecent(this.#fault)) throw unavailable(this.#fault.message)
  }

  get isTroubled(): boolean {
    return this.#trouble !== null || this.#damage !== null
  }

  #note(message: string): void {
    if (!this.#fault || !this.#isRecent(this.#fault)) this.#report({ level: 'error', message })
    this.#fault = { message, at: this.#clock.now() }
  }

  #isRecent({ at }: { readonly at: Millis }): boolean {
    return Math.abs(this.#clock.now() - at) < rememberFault
  }

  #refuseDamaged(): void {
    if (this.#damage !== null) this.#refuseWrites(unavailable(this.#damage))
  }
}

function unavailable(message: string): TocsinError {
  return new TocsinError('store_unavailable', message)
}
