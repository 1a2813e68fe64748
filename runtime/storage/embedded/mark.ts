import { closeSync, fdatasync, fdatasyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import type { Millis } from '../../domain/index.ts'
import { systemCode } from '../../files/index.ts'
import { type FileState, isSameFile, lastingIdentity, stateHeld } from './file-state.ts'

/** How far a store has come: kept in its database, and beside it in `tocsin.mark`, where a database that lacks something cannot take it along. */
export interface Progress {
  /** Which store it is: made with it, and kept for good. */
  readonly store: string
  /** Transactions that changed something. */
  readonly commits: number
  /** Numbers that alerts and cases have been given, all counters together. */
  readonly numbers: number
}

/** What is remembered of the database's file, to tell whether the log beside it is its own. */
export interface MarkedFile {
  readonly identity: string | null
  readonly bytes: number
  readonly written: number
}

export interface Mark extends Progress {
  readonly at: Millis
  /** Null while a checkpoint may be changing it. */
  readonly database: MarkedFile | null
  /** Of the mark's own file: another one means that the folder was copied. Null: that cannot be told here. */
  readonly identity: string | null
  /** Which start of the machine this is: times of files are exact only as long as it runs. Null: the machine does not say. */
  readonly boot: string | null
  /** What was done to the files when the process last looked; null: nothing. */
  readonly trouble: string | null
}

export type FoundMark = { readonly kind: 'mark'; readonly mark: Mark; readonly copied: boolean } | { readonly kind: 'absent' | 'damaged' }

/** Two, written in turn: a power cut may tear the one that is being written. */
const slots = 2
const slotBytes = 1024
const longestTrouble = 300

/** What a folder's mark says. @throws what the system says when the file cannot be read */
export function readMark(path: string): FoundMark {
  const found = readSlots(path)
  if (!found) return { kind: 'absent' }
  if (!found.latest) return { kind: 'damaged' }
  const { mark } = found.latest
  return { kind: 'mark', mark, copied: mark.identity !== null && found.identity !== null && mark.identity !== found.identity }
}

interface Slot {
  /** Counts what was written: the higher is the later. */
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
 * The mark of an open store. Written after each commit without waiting for the disk, so that it survives the process; now and then with
 * waiting, so that it survives a power cut. The database is never behind it, unless something was taken away.
 */
export class MarkFile {
  readonly #file: number
  readonly #state: FileState
  readonly #identity: string | null
  #turn: number

  /** @throws what the system says */
  constructor(path: string) {
    const found = readSlots(path)
    // Not cut when it is there: what it says is worth something until the next is written.
    this.#file = openSync(path, found ? 'r+' : 'w+', 0o600)
    this.#state = stateHeld(this.#file)
    this.#identity = lastingIdentity(path, this.#state)
    this.#turn = (found?.latest?.turn ?? -1) + 1
  }

  isAt(found: FileState | null): boolean {
    return found !== null && isSameFile(found, this.#state)
  }

  /** @param identity another than the file's own: whoever finds it takes the folder for a copy */
  write(mark: Omit<Mark, 'identity' | 'boot'>, identity: string | null = this.#identity): void {
    const trouble = mark.trouble?.slice(0, longestTrouble).replaceAll(/[^\x20-\x7e]/g, '?') ?? null
    const json = JSON.stringify({ turn: this.#turn, ...mark, trouble, identity, boot: bootId })
    // Each slot is a line; what an earlier one was longer by stays behind it.
    writeSync(this.#file, `${checksumOf(json)} ${json}\n`, (this.#turn % slots) * slotBytes, 'latin1')
    this.#turn += 1
  }

  /** Waits for the disk. */
  settle(): void {
    fdatasyncSync(this.#file)
  }

  /** Lets the disk have it, without waiting. What fails is reported, and changes nothing: the mark only tells what is missing. */
  flush(failed: (error: Error) => void): void {
    fdatasync(this.#file, (error) => {
      if (error) failed(error)
    })
  }

  close(): void {
    closeSync(this.#file)
  }
}

/** Linux makes one at each start of the machine. */
export const bootId: string | null = readBootId()

function readBootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return null
  }
}
