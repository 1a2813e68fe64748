import type { Clock, Millis } from '../../../domain/index.ts'
import { TocsinError } from '../../../errors/index.ts'
import { makeFolder } from '../../../files/index.ts'
import { tellIfLong } from '../../long-start.ts'
import type { Notice } from '../files/index.ts'
import { filesOf, type Ownership, type StoreFiles, takeOwnership } from '../files/index.ts'
import { Channel, type Told } from './channel.ts'
import { Health } from './health.ts'

export interface EmbeddedOptions {
  readonly directory: string
  readonly clock: Clock
  /** Receives what an operator should know. */
  readonly report?: (notice: Notice) => void
  /**
   * Names of files in the folder that a copy of the store needs too, such as its keys. A rescued copy
   * includes them.
   */
  readonly companions?: readonly string[]
}

/** The file of an embedded store, and the two threads that have it open. */
export interface OpenFile {
  readonly channels: { readonly writer: Channel; readonly reader: Channel }
  /**
   * Tests a write and a read.
   * @throws TocsinError `store_unavailable`
   */
  ping(): Promise<void>
  /** Answers the calls made so far and ends both threads. A second call waits for the same end. */
  close(): Promise<void>
}

/** How often the writer checks its files. */
const lookEvery: Millis = 1_000
/**
 * How long a start waits for the check of the database. The check of a large database then continues while
 * the process works.
 */
const checkWithin: Millis = 15_000
const tellProgressEvery: Millis = 3_000

/**
 * Takes the folder, opens the file and starts both threads.
 * @throws TocsinError the errors of `openEmbeddedStore`
 */
export async function openFile({ directory, clock, report = () => {}, companions = [] }: EmbeddedOptions): Promise<OpenFile> {
  makeFolder(directory)
  const files = filesOf(directory)
  const ownership = takeOwnership(files.lock)
  const started: Channel[] = []
  try {
    const health = new Health(clock, report, (error) => writer.refuse(error))
    // Both load their code at the same time. The writer opens the file first, because it makes sure that nobody else has it open.
    const writer: Channel = Channel.start({ role: 'writer', files, companions, now: clock.now() }, clock, (told) => health.hear(told))
    started.push(writer)
    const checked = checkedReader(files, clock, health, report)
    started.push(checked.reader)
    const slow = `${files.database} is still being opened. After an update, Tocsin may first build new indexes: up to a minute for a million alerts.`
    await tellIfLong(
      clock,
      () => report({ level: 'info', message: slow }),
      () => writer.open(),
    )
    await checked.open()
    await writer.begin()
    return running({ files, clock, report, ownership, health, writer, reader: checked.reader })
  } catch (error) {
    // Close the writer first. SQLite changes the files when the last connection closes, and the reader cannot write.
    for (const channel of started) await channel.close()
    ownership.release()
    throw error
  }
}

interface CheckedReader {
  readonly reader: Channel
  /**
   * Opens the file. Resolves when the reader has checked the database, or after `checkWithin`.
   * @throws TocsinError `store_damaged`
   */
  open(): Promise<void>
}

function checkedReader(files: StoreFiles, clock: Clock, health: Health, report: (notice: Notice) => void): CheckedReader {
  const { promise: checked, resolve } = Promise.withResolvers<readonly string[]>()
  let progress: Progress | null = null
  const reader = Channel.start({ role: 'reader', files, check: true }, clock, (told) => {
    if (told.kind === 'checked') resolve(told.problems)
    else if (told.kind === 'checking') progress?.tell(told)
    else health.hear(told)
  })
  return {
    reader,
    async open() {
      progress = new Progress(clock, files.database, report)
      await reader.open()
      const problems = await within(checked, checkWithin, clock)
      if (problems === null) {
        report({ level: 'warn', message: `${files.database} is large: Tocsin starts while the check continues.` })
        void checked.then((found) => {
          if (found.length > 0) health.damaged(found)
          else report({ level: 'info', message: `${files.database} was checked and is not damaged.` })
        })
      } else if (problems.length > 0) throw new TocsinError('store_damaged', `${files.database}: ${problems.join('; ')}`)
    },
  }
}

/** Reports every few seconds how far the check of a large database is. */
class Progress {
  readonly #clock: Clock
  readonly #path: string
  readonly #report: (notice: Notice) => void
  #at: Millis

  constructor(clock: Clock, path: string, report: (notice: Notice) => void) {
    this.#clock = clock
    this.#path = path
    this.#report = report
    this.#at = clock.now()
  }

  tell({ done, of }: Told & { readonly kind: 'checking' }): void {
    const now = this.#clock.now()
    if (Math.abs(now - this.#at) < tellProgressEvery) return
    this.#at = now
    this.#report({ level: 'info', message: `${this.#path} is being checked: ${Math.floor((done / of) * 100)} %.` })
  }
}

/** Returns the result of the promise. Null if it takes longer than the limit. */
async function within<T>(promise: Promise<T>, limit: Millis, clock: Clock): Promise<T | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>()
  const cancel = clock.after(limit, () => resolve(null))
  try {
    return await Promise.race([promise, late])
  } finally {
    cancel()
  }
}

interface Running {
  readonly files: StoreFiles
  readonly clock: Clock
  readonly report: (notice: Notice) => void
  readonly ownership: Ownership
  readonly health: Health
  readonly writer: Channel
  readonly reader: Channel
}

function running({ files, clock, report, ownership, health, writer, reader }: Running): OpenFile {
  const stopLooking = clock.every(lookEvery, () => {
    writer.look()
    if (!ownership.renew()) return
    report({ level: 'warn', message: `${files.lock} was removed or replaced; Tocsin created it again.` })
  })
  const close = async (): Promise<void> => {
    stopLooking()
    // Before any connection closes: the writer may find that somebody has changed the files since its last look.
    await Promise.all([writer.finish(), reader.finish()])
    // The last connection that closes copies the log into the database and removes the log. If there is
    // trouble, nothing may change, so the reader, which cannot write, closes last.
    const order = health.isTroubled ? [writer, reader] : [reader, writer]
    for (const channel of order) await channel.close()
    ownership.release()
  }
  let closing: Promise<void> | null = null
  return {
    channels: { writer, reader },
    async ping() {
      health.mustBeWell()
      await Promise.all([writer.call('probe', 'touch', []), reader.call('probe', 'look', [])])
      health.mustBeWell()
    },
    close() {
      closing ??= close()
      return closing
    },
  }
}
