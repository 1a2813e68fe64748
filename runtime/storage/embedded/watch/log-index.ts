import { readSync } from 'node:fs'

/**
 * What SQLite's shared index (`-shm`) says about the log (https://sqlite.org/walformat.html, 2.1). SQLite
 * maps the index into memory; reading the file returns the same bytes.
 */
export interface LogState {
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
const offsets = { version: 0, pageSize: 14, frames: 16, checksum: 24, salt: 32, copy: headerBytes, checkpointed: 96 }

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

const littleEndian = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1
