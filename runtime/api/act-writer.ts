import type { Logger } from 'pino'
import { type Act, type Clock, type Millis, systemScope } from '../domain/index.ts'
import { isTocsinError } from '../errors/index.ts'
import type { Store } from '../storage/index.ts'

const tryEvery: Millis = 2_000
/** A change needs the store, too. So few acts are late: those whose change was stored right before the store was gone. */
export const mostLateActs = 256

/**
 * Writes acts to the audit log. If the store cannot take one now, the act waits in this process and is tried again until the store takes it.
 * The change is done and its answer does not wait, so only a process that dies before that leaves no act. Its log has a line for each.
 */
export class ActWriter {
  readonly #acts: Store['acts']
  readonly #clock: Pick<Clock, 'after'>
  readonly #logger: Logger
  readonly #late: Act[] = []
  #cancel: (() => void) | null = null
  #underWay: Promise<void> | null = null

  constructor(acts: Store['acts'], clock: Pick<Clock, 'after'>, logger: Logger) {
    this.#acts = acts
    this.#clock = clock
    this.#logger = logger
  }

  /** Resolves when the store has the act, or did not take it at once. Never rejects: the change of the act is done. */
  async write(act: Act): Promise<void> {
    try {
      await this.#acts.add(systemScope, act)
    } catch (error) {
      if (!mayPass(error) || this.#late.length >= mostLateActs) return this.#isLost(act, error)
      this.#logger.warn({ err: error, act: act.id, action: act.action }, 'the store did not take an act for the audit log: it is tried again')
      this.#late.push(act)
      this.#tryLater()
    }
  }

  /** Tries late acts for the last time. Nothing may be written any more. */
  async close(): Promise<void> {
    this.#cancel?.()
    await this.#underWay
    this.#cancel?.()
    const error = await this.#writeLate()
    for (const act of this.#late) this.#isLost(act, error)
  }

  #tryLater(): void {
    this.#cancel ??= this.#clock.after(tryEvery, () => {
      this.#underWay = this.#writeLate().then(() => {
        this.#cancel = null
        if (this.#late.length > 0) this.#tryLater()
      })
    })
  }

  /** @returns why the store does not take them, or undefined: it has taken all */
  async #writeLate(): Promise<unknown> {
    let written = 0
    try {
      for (let act = this.#late[0]; act !== undefined; act = this.#late[0]) {
        const error = await this.#acts.add(systemScope, act).then(
          () => null,
          (reason: unknown) => reason,
        )
        if (error !== null && mayPass(error)) return error
        this.#late.shift()
        if (error === null) written += 1
        else this.#isLost(act, error)
      }
      return undefined
    } finally {
      if (written > 0) this.#logger.info({ written, late: this.#late.length }, 'the audit log has acts that the store did not take before')
    }
  }

  #isLost(act: Act, error: unknown): void {
    this.#logger.error({ err: error, act: act.id, action: act.action }, 'the audit log lacks an act: the store did not take it')
  }
}

/** Returns whether the store may take the same act later. Any other error is a bug, and would come again. */
function mayPass(error: unknown): boolean {
  return isTocsinError(error) && error.code === 'store_unavailable'
}
