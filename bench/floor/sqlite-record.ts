import type { FloorAlert } from './alert.ts'
import type { Entry, FloorRecord } from './record.ts'
import type { Change, SqliteFile } from './sqlite-file.ts'

/** What the process knows of an alert whose run has not ended. */
interface Standing {
  readonly number: number
  claimed: boolean
  /** How many rows its journal has. */
  rows: number
  /** What the next commit writes about it. */
  next: Change | null
}

/**
 * Floor 3 keeps in SQLite what floor 2 keeps in MongoDB. What concurrent runs want in one turn of the event loop, or while the disk writes, shares the
 * next commit. What a run wants later is in the same commit or in a later one. So only three things wait for the disk: the acknowledgement of an alert,
 * a write to the system, and the end of a run. A claim and a read go on at once, and are on the disk with what follows them.
 *
 * A commit that fails rejects what waits for it. If nothing does, the rejection ends the process.
 */
export class SqliteRecord implements FloorRecord {
  readonly #file: SqliteFile
  readonly #alerts = new Map<string, Standing>()
  #last: number
  /** The alerts that the next commit writes about. */
  #changed: Standing[] = []
  /** Is told how the next commit went. */
  #next = Promise.withResolvers<void>()
  #isCommitting = false

  constructor(file: SqliteFile) {
    this.#file = file
    this.#last = file.last
  }

  add(alert: FloorAlert): Promise<void> {
    this.#last += 1
    const standing: Standing = { number: this.#last, claimed: false, rows: 0, next: null }
    this.#alerts.set(alert.id, standing)
    this.#changeOf(standing).added = alert
    return this.#next.promise
  }

  /** Nobody else writes to the file, so this process knows. The commit checks it again. */
  async claim(alert: FloorAlert): Promise<boolean> {
    const standing = this.#standing(alert)
    if (standing.claimed) return false
    standing.claimed = true
    this.#changeOf(standing).claimed = true
    return true
  }

  async note(alert: FloorAlert, _: number, entry: Entry): Promise<void> {
    this.#changeOf(this.#standing(alert)).entries.push(entry)
    if (entry.kind === 'intent') await this.#next.promise
  }

  step(alert: FloorAlert, sequence: number): Promise<void> {
    return this.note(alert, sequence, { kind: 'step', value: null })
  }

  async end(alert: FloorAlert): Promise<void> {
    this.#changeOf(this.#standing(alert)).ended = alert.title
    this.#alerts.delete(alert.id)
    await this.#next.promise
  }

  async close(): Promise<void> {
    this.#file.close()
  }

  #standing({ id }: FloorAlert): Standing {
    const standing = this.#alerts.get(id)
    if (!standing) throw new Error(`There is no open alert ${id}.`)
    return standing
  }

  /** Returns what the next commit writes about an alert, to add to it. */
  #changeOf(standing: Standing): Change {
    if (standing.next) return standing.next
    const change: Change = { number: standing.number, added: null, claimed: false, entries: [], position: standing.rows, ended: null }
    standing.next = change
    if (this.#changed.push(standing) === 1) this.#commitSoon()
    return change
  }

  #commitSoon(): void {
    if (!this.#isCommitting) setImmediate(() => void this.#commit())
  }

  async #commit(): Promise<void> {
    const [changed, { resolve, reject }] = [this.#changed, this.#next]
    this.#changed = []
    this.#next = Promise.withResolvers()
    this.#isCommitting = true
    try {
      await this.#file.commit(changed.map(taken))
      resolve()
    } catch (error) {
      reject(error)
    }
    this.#isCommitting = false
    if (this.#changed.length > 0) this.#commitSoon()
  }
}

/** Returns what a commit writes about an alert. What comes later is for the commit after it. */
function taken(standing: Standing): Change {
  const change = standing.next as Change
  standing.next = null
  if (change.entries.length > 0) standing.rows += 1
  return change
}
