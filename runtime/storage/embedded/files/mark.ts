import { closeSync, fdatasync, fdatasyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import type { Millis } from '../../../domain/index.ts'
import { systemCode } from '../../../files/index.ts'
import { type FileState, isSameFile, lastingIdentity, stateHeld } from './file-state.ts'

/**
 * How many commits and numbers a store has. The database has this count, and so does `tocsin.mark`. If the
 * database loses commits, the mark still has the right count.
 */
export interface Progress {
  /** Identifies the store. Never changes. */
  readonly store: string
  /** How many transactions have changed something. */
  readonly commits: number
  /** How many numbers alerts and cases were given, all counters together. */
  readonly numbers: number
}

/** Describes the database file. Shows whether the log beside it belongs to it. */
interface MarkedFile {
  readonly identity: string | null
  readonly bytes: number
  readonly written: number
}

export interface Mark extends Progress {
  readonly at: Millis
  /** Null while a checkpoint may be changing the file. */
  readonly database: MarkedFile | null
  /**
   * Identifies the mark's own file. If the file that is found has another identity, the folder was copied.
   * Null: this file system cannot tell.
   */
  readonly identity: string | null
  /** Identifies this boot of the machine. File times can be trusted only until the next boot. Null: unknown. */
  readonly boot: string | null
  /** What somebody had done to the files when the process last checked. Null: nothing. */
  readonly trouble: string | null
}

export type FoundMark = { readonly kind: 'mark'; readonly mark: Mark; readonly copied: boolean } | { readonly kind: 'absent' | 'damaged' }

/** There are two slots, written in turn, because a power cut may destroy the slot that is being written. */
const slots = 2
const slotBytes = 1024
const longestTrouble = 300

/**
 * Reads the mark of a folder.
 * @throws the system's error if the file cannot be read
 */
export function readMark(path: string): FoundMark {
  const found = readSlots(path)
  if (!found) return { kind: 'absent' }
  if (!found.latest) return { kind: 'damaged' }
  const { mark } = found.latest
  return { kind: 'mark', mark, copied: mark.identity !== null && found.identity !== null && mark.identity !== found.identity }
}

interface Slot {
  /** Increases with each write, so the slot with the higher turn is the later one. */
  readonly turn: number
  readonly mark: Mark
}

function readSlots(path: string): { readonly identity: string | null; readonly latest: Slot | null } | null {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null
    throw error
  }
  try {
    const text = readFileSync(file, 'latin1')
    const whole = Array.from({ length: slots }, (_, slot) => parse(text.slice(slot * slotBytes).split('\n', 1)[0] ?? '')).filter(
      (one) => one !== null,
    )
    return { identity: lastingIdentity(path, stateHeld(file)), latest: whole.toSorted((one, other) => other.turn - one.turn)[0] ?? null }
  } finally {
    closeSync(file)
  }
}

function parse(slot: string): Slot | null {
  const [checksum, json] = [slot.slice(0, 8), slot.slice(9)]
  if (json === '' || checksum !== checksumOf(json)) return null
  const { turn, ...mark } = JSON.parse(json) as Mark & { turn: number }
  return { turn, mark }
}

function checksumOf(text: string): string {
  return crc32(text).toString(16).padStart(8, '0')
}

/**
 * The mark of an open store. It is written after each commit, without waiting for the disk. That is enough to
 * survive the end of the process. It is flushed to the disk from time to time, to survive a power cut. The
 * database always has at least what the mark says, unless somebody removed something.
 */
export class MarkFile {
  readonly #file: number
  readonly #state: FileState
  readonly #identity: string | null
  #turn: number

  /** @throws the system's error */
  constructor(path: string) {
    const found = readSlots(path)
    // An existing file is not truncated, because its contents are valid until the next write.
    this.#file = openSync(path, found ? 'r+' : 'w+', 0o600)
    this.#state = stateHeld(this.#file)
    this.#identity = lastingIdentity(path, this.#state)
    this.#turn = (found?.latest?.turn ?? -1) + 1
  }

  isAt(found: FileState | null): boolean {
    return found !== null && isSameFile(found, this.#state)
  }

  /** @param identity pass another value than the file's own identity to mark the folder as a copy */
  write(mark: Omit<Mark, 'identity' | 'boot'>, identity: string | null = this.#identity): void {
    const trouble = mark.trouble?.slice(0, longestTrouble).replaceAll(/[^\x20-\x7e]/g, '?') ?? null
    const json = JSON.stringify({ turn: this.#turn, ...mark, trouble, identity, boot: bootId })
    // Each slot is one line. The rest of a longer, earlier line may remain after it and is ignored.
    writeSync(this.#file, `${checksumOf(json)} ${json}\n`, (this.#turn % slots) * slotBytes, 'latin1')
    this.#turn += 1
  }

  /** Flushes to the disk and waits for it. */
  settle(): void {
    fdatasyncSync(this.#file)
  }

  /**
   * Flushes to the disk without waiting. A failure does no harm, because the mark only serves to detect
   * missing data.
   * @param failed receives the failure
   */
  flush(failed: (error: Error) => void): void {
    fdatasync(this.#file, (error) => {
      if (error) failed(error)
    })
  }

  close(): void {
    closeSync(this.#file)
  }
}

/** Linux creates a new one at each boot. */
export const bootId: string | null = readBootId()

function readBootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return null
  }
}
