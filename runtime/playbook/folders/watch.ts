import { type FSWatcher, watch } from 'node:fs'
import type { Clock, Millis } from '../../domain/index.ts'
import { type Difference, differenceOf, isSame, type Snapshot, takeSnapshot } from './snapshot.ts'

/** A change is taken when the files have been the same for so long: an editor may write in several pieces. */
const settling: Millis = 250
/** What no event tells of (network folders, a folder that was replaced) is found after so long. */
const pollEvery: Millis = 5_000

export interface Watching {
  readonly folders: readonly string[]
  readonly clock: Clock
  /** Takes in what changed; what it throws is told to `failed`, and it is called again at the next change. */
  take(difference: Difference): Promise<void>
  failed(error: unknown): void
}

/** Looks at playbook folders, and tells when files in them have changed and settled. Every process may do so: importing twice changes nothing. */
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

  /** @param taken the files as they were imported; what changed since counts as a change */
  start(taken: Snapshot): void {
    this.#taken = taken
    for (const folder of this.#watching.folders) this.#watch(folder)
    this.#stopPolling = this.#watching.clock.every(pollEvery, () => this.#soon(0))
    this.#soon(0)
  }

  /** Resolves when no look is under way any more. */
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
      // The polling finds what changes all the same.
    }
  }

  /** The last call counts: each event puts the look off. */
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
