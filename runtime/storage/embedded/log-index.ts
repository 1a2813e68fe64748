import { readSync } from 'node:fs'

/**
 * What SQLite holds to be in its log, as its shared index says it (https://sqlite.org/walformat.html, 2.1): the process reads and writes this
 * as memory; a read of the file sees the same bytes.
 */
export interface LogState {
  /** Frames that are committed. */
  readonly frames: number
  /** Of these, how many a checkpoint has brought into the database. */
  readonly checkpointed: number
  /** Which round of the log it is: it is written from its beginning again once all of it was checkpointed. */
  readonly salt: string
  /** Of the last frame, over all before it. */
  readonly checksum: readonly [number, number]
  readonly pageSize: number
}

const formatOfIndex = 3_007_000
const headerBytes = 48
const bytesRead = 100
const offsets = { version: 0, pageSize: 14, frames: 16, checksum: 24, salt: 32, copy: headerBytes, checkpointed: 96 }

/** Read after every commit: one buffer does. */
const bytes = Buffer.from(new ArrayBuffer(bytesRead))
const words = new DataView(bytes.buffer)

/** @param file descriptor of the `-shm` @throws when the file is cut, or of a format that this version does not know */
export function readLogState(file: number): LogState {
  const read = readSync(file, bytes, 0, bytesRead, 0)
  if (read < bytesRead) throw new Error(`it has ${read} bytes`)
  // Native byte order, as SQLite has it in memory.
  const word = (offset: number): number => words.getUint32(offset, littleEndian)
  if (word(offsets.version) !== formatOfIndex) throw new Error(`it has the format ${word(offsets.version)}`)
  const pageSize = words.getUint16(offsets.pageSize, littleEndian)
  return {
    frames: word(offsets.frames),
    checkpointed: word(offsets.checkpointed),
    salt: bytes.toString('hex', offsets.salt, offsets.salt + 8),
    checksum: [word(offsets.checksum), word(offsets.checksum + 4)],
    // 65,536 does not fit into two bytes.
    pageSize: pageSize === 1 ? 65_536 : pageSize,
  }
}

const littleEndian = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1
