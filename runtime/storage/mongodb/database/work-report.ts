import { messageOf } from '../../../errors/index.ts'
import type { MongoNotice } from './guard.ts'

/** Tells the operator about work that nobody waits for: once when it begins to fail, and once when it succeeds again. */
export class WorkReport {
  readonly #report: (notice: MongoNotice) => void
  readonly #fails: string
  readonly #succeeds: string
  #failing = false

  /**
   * @param fails what does not work, what that means, and what happens next; the reason is added
   * @param succeeds says that it works again
   */
  constructor(report: (notice: MongoNotice) => void, { fails, succeeds }: { readonly fails: string; readonly succeeds: string }) {
    this.#report = report
    this.#fails = fails
    this.#succeeds = succeeds
  }

  failed(error: unknown): void {
    if (!this.#failing) this.#report({ level: 'warn', message: `${this.#fails} Reason: ${messageOf(error)}` })
    this.#failing = true
  }

  succeeded(): void {
    if (this.#failing) this.#report({ level: 'info', message: this.#succeeds })
    this.#failing = false
  }
}
