import { readSync, writeSync } from 'node:fs'

/**
 * What SQLite's shared index (`-shm`) says about the log (https://sqlite.org/walformat.html, 2.1). SQLite
 * maps the index into memory; reading the file returns the same bytes.
 */
export interface LogState {
  /** The number of the last transaction. 32 bits, so after the highest comes 0. */
  readonly transaction: number
  /** Both copies of the index's header, as SQLite wrote them. */
  readonly header: Buffer
  /** How many frames are committed. */
  readonly frames: number
  /** How many of these a checkpoint has copied into the database. */
  readonly checkpointed: number
  /**
   * Changes each time SQLite starts to overwrite the log from its beginning, after a checkpoint has copied
   * all of it.
   */
  readonly salt: string
  /** The checksum of the last frame. It covers all frames before it. */
  readonly checksum: readonly [number, number]
  readonly pageSize: number
}

const formatOfIndex = 3_007_000
const headerBytes = 48
const bytesRead = 100
const offsets = { version: 0, transaction: 8, pageSize: 14, frames: 16, checksum: 24, salt: 32, copy: headerBytes, checkpointed: 96 }

/** Reused, because it is read after every commit. */
const bytes = Buffer.from(new ArrayBuffer(bytesRead))
const words = new DataView(bytes.buffer)

/**
 * @param file descriptor of the `-shm` file
 * @throws Error if the file was truncated, or has a format that this version does not know
 */
export function readLogState(file: number): LogState {
  const read = readSync(file, bytes, 0, bytesRead, 0)
  if (read < bytesRead) throw new Error(`it has ${read} bytes`)
  // SQLite uses the byte order of the machine here.
  const word = (offset: number): number => words.getUint32(offset, littleEndian)
  if (word(offsets.version) !== formatOfIndex) throw new Error(`it has the format ${word(offsets.version)}`)
  const pageSize = words.getUint16(offsets.pageSize, littleEndian)
  return {
    transaction: word(offsets.transaction),
    header: Buffer.from(bytes.subarray(0, offsets.checkpointed)),
    frames: word(offsets.frames),
    checkpointed: word(offsets.checkpointed),
    salt: bytes.toString('hex', offsets.salt, offsets.salt + 8),
    checksum: [word(offsets.checksum), word(offsets.checksum + 4)],
    // 65,536 does not fit into two bytes, so SQLite writes 1 for it.
    pageSize: pageSize === 1 ? 65_536 : pageSize,
  }
}

/** Returns whether the file is long enough for an index, but does not begin like one. */
export function isOverwritten(file: number): boolean {
  const read = readSync(file, bytes, 0, bytesRead, 0)
  return read === bytesRead && words.getUint32(offsets.version, littleEndian) !== formatOfIndex
}

/**
 * Returns whether the index now says less than a state that SQLite has written: somebody has put an older index in its place. False if it has
 * no header at all, because SQLite then rebuilds it. A rebuilt index has all frames, but counts transactions from 0.
 */
export function isOlder(file: number, { transaction, salt, frames }: LogState): boolean {
  const read = readSync(file, bytes, 0, bytesRead, 0)
  const word = (offset: number): number => words.getUint32(offset, littleEndian)
  if (read < bytesRead || word(offsets.version) !== formatOfIndex) return false
  if (bytes.toString('hex', offsets.salt, offsets.salt + 8) === salt) return word(offsets.frames) < frames
  return ((word(offsets.transaction) - transaction) | 0) < 0
}

/** Writes the header of a state that SQLite has written. @param file open for writing */
export function restoreHeader(file: number, { header }: LogState): void {
  writeSync(file, header, 0, header.length, 0)
}

const littleEndian = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1
