import { type FSWatcher, watch } from 'node:fs'
import type { Clock, Millis } from '../../domain/index.ts'
import { type Difference, differenceOf, isSame, type Snapshot, takeSnapshot } from './snapshot.ts'

/**
 * A change counts when the files have not changed for this long, because an editor may write in
 * several pieces.
 */
const settling: Millis = 250
/**
 * How often to look without an event. This finds changes that cause none, such as in network
 * folders or in a folder that was replaced.
 */
const pollEvery: Millis = 5_000

export interface Watching {
  readonly folders: readonly string[]
  readonly clock: Clock
  /** Imports what changed. If it throws, `failed` gets the error, and the next look calls it again. */
  take(difference: Difference): Promise<void>
  failed(error: unknown): void
}

/**
 * Watches playbook folders, and reports changed files once they are written completely. Every
 * process may do this, because importing twice changes nothing.
 */
export class FolderWatch {
  readonly #watching: Watching
  readonly #watchers: FSWatcher[] = []
  #taken: Snapshot | null = null
  #stopPolling = (): void => {}
  #cancel = (): void => {}
  #look: Promise<void> = Promise.resolve()
  #stopped = false

  constructor(watching: Watching) {
    this.#watching = watching
  }

  /** @param taken the files as they were imported; later differences count as changes */
  start(taken: Snapshot): void {
    this.#taken = taken
    for (const folder of this.#watching.folders) this.#watch(folder)
    this.#stopPolling = this.#watching.clock.every(pollEvery, () => this.#soon(0))
    this.#soon(0)
  }

  /** Resolves when no look is running any more. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#stopPolling()
    this.#cancel()
    for (const watcher of this.#watchers) watcher.close()
    await this.#look
  }

  #watch(folder: string): void {
    try {
      const watcher = watch(folder, { persistent: false }, () => this.#soon(settling))
      watcher.on('error', () => watcher.close())
      this.#watchers.push(watcher)
    } catch {
      // Polling finds the changes of this folder.
    }
  }

  /** Schedules a look. Each call cancels the one before, so each event delays the look. */
  #soon(delay: Millis): void {
    this.#cancel()
    if (this.#stopped) return
    this.#cancel = this.#watching.clock.after(delay, () => {
      this.#look = this.#look.then(() => this.#lookOnce()).catch((error: unknown) => this.#watching.failed(error))
    })
  }

  async #lookOnce(): Promise<void> {
    const { folders, clock, take } = this.#watching
    if (this.#stopped || !this.#taken) return
    const first = await takeSnapshot(folders)
    if (isSame(differenceOf(this.#taken, first))) return
    await clock.sleep(settling)
    const now = await takeSnapshot(folders)
    if (!isSame(differenceOf(first, now))) return this.#soon(settling)
    const difference = differenceOf(this.#taken, now)
    if (this.#stopped) return
    await take(difference)
    this.#taken = now
  }
}
