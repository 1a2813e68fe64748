import { readSync } from 'node:fs'

/** The format of the log file: https://sqlite.org/fileformat2.html, 4.1 and 4.2. */
const headerBytes = 32
const frameHeaderBytes = 24
const magic = 0x377f0682
const framesAtOnce = 256

type Checksum = readonly [number, number]

/**
 * Whether this machine is little-endian. The lowest bit of the magic number says which byte order the
 * checksums of a log use.
 */
const littleEndian = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1

/** The header of a frame in the log file. */
export interface Frame {
  readonly salt: string
  readonly checksum: Checksum
}

/** Returns the salt in the log's header. Null if the file has no such header. */
export function saltOfLog(file: number): string | null {
  return readHeader(file)?.toString('hex', 16, 24) ?? null
}

function readHeader(file: number): Buffer | null {
  const header = Buffer.alloc(headerBytes)
  const whole = readSync(file, header, 0, headerBytes, 0) === headerBytes
  return whole && header.readUInt32BE(0) >>> 1 === magic >>> 1 ? header : null
}

/** Reused, because it is read after every commit. */
const frameHeader = Buffer.alloc(frameHeaderBytes)

/**
 * Returns the header of a frame. Null if the log ends before it.
 * @param number from 1
 */
export function frameOfLog(file: number, number: number, pageSize: number): Frame | null {
  const offset = headerBytes + (number - 1) * (frameHeaderBytes + pageSize)
  if (readSync(file, frameHeader, 0, frameHeaderBytes, offset) < frameHeaderBytes) return null
  return { salt: frameHeader.toString('hex', 8, 16), checksum: [frameHeader.readUInt32BE(16), frameHeader.readUInt32BE(20)] }
}

/** How much of a log has correct checksums. */
export interface Verified {
  readonly salt: string
  readonly frames: number
  readonly checksum: Checksum
}

/**
 * Reads the frames up to `to` and verifies their checksums. Each checksum covers all frames before it.
 * @param from where the last verification ended; null: start at the beginning
 * @returns null if a frame is not what SQLite wrote on this machine
 */
export function verifyLog(file: number, from: Verified | null, to: number, pageSize: number): Verified | null {
  const header = readHeader(file)
  if (!header) return null
  const salt = header.toString('hex', 16, 24)
  const begun = from?.salt === salt ? from : { salt, frames: 0, checksum: [header.readUInt32BE(24), header.readUInt32BE(28)] as const }
  if (((header.readUInt32BE(0) & 1) === 0) !== littleEndian) return null
  const frameBytes = frameHeaderBytes + pageSize
  const buffer = Buffer.from(new ArrayBuffer(framesAtOnce * frameBytes))
  const words = new Int32Array(buffer.buffer)
  const sums = new Int32Array(begun.checksum)
  for (let frame = begun.frames; frame < to; frame += framesAtOnce) {
    const count = Math.min(framesAtOnce, to - frame)
    if (readSync(file, buffer, 0, count * frameBytes, headerBytes + frame * frameBytes) < count * frameBytes) return null
    for (let index = 0; index < count; index += 1) {
      const at = index * frameBytes
      addUp(words, at / 4, 2, sums)
      addUp(words, (at + frameHeaderBytes) / 4, pageSize / 4, sums)
      const same = buffer.readInt32BE(at + 16) === sums[0] && buffer.readInt32BE(at + 20) === sums[1]
      if (!same || buffer.toString('hex', at + 8, at + 16) !== salt) return null
    }
  }
  return { salt, frames: Math.max(to, begun.frames), checksum: [sums[0]! >>> 0, sums[1]! >>> 0] }
}

/**
 * Adds up an even count of words. Most of it goes eight words at a time, which makes the function too long for V8 to copy it into `verifyLog`. There,
 * V8's quick compiler would add with floating-point numbers, which takes five times as long.
 */
function addUp(words: Int32Array, from: number, count: number, sums: Int32Array): void {
  const to = from + count
  let at = from
  let first = sums[0]!
  let second = sums[1]!
  for (; at + 8 <= to; at += 8) {
    first = (first + words[at]! + second) | 0
    second = (second + words[at + 1]! + first) | 0
    first = (first + words[at + 2]! + second) | 0
    second = (second + words[at + 3]! + first) | 0
    first = (first + words[at + 4]! + second) | 0
    second = (second + words[at + 5]! + first) | 0
    first = (first + words[at + 6]! + second) | 0
    second = (second + words[at + 7]! + first) | 0
  }
  for (; at < to; at += 2) {
    first = (first + words[at]! + second) | 0
    second = (second + words[at + 1]! + first) | 0
  }
  sums[0] = first
  sums[1] = second
}
