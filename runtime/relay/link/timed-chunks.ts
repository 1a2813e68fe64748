import { Transform } from 'node:stream'
import type { Millis } from '../../domain/index.ts'

const headerBytes = 12

/**
 * Returns what precedes a chunk on its way to the agent: its length, and until when the agent may pass it on. A chunk without
 * bytes is the last one: a stream that ends without it was cut.
 * @param until the agent's clock, in milliseconds. Null: no such limit
 */
export function chunkHeader(length: number, until: Millis | null): Buffer {
  const header = Buffer.allocUnsafe(headerBytes)
  header.writeUInt32BE(length, 0)
  header.writeDoubleBE(until ?? 0, 4)
  return header
}

/**
 * Takes the headers out of a stream of chunks, and passes on their bytes as they come. Fails at the first byte whose time is
 * over, and at an end without the last chunk.
 */
export class TimedBytes extends Transform {
  readonly #now: () => Millis
  readonly #header = Buffer.alloc(headerBytes)
  #filled = 0
  #left = 0
  #until = 0
  #over = false

  /** @param now the agent's clock. It must go on while the machine sleeps */
  constructor(now: () => Millis) {
    super()
    this.#now = now
  }

  override _transform(data: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    for (let at = 0; at < data.length; ) {
      if (this.#over) return done(new Error('There are bytes after the last chunk.'))
      if (this.#left === 0) at += this.#readHeader(data, at)
      else {
        const piece = data.subarray(at, at + this.#left)
        // Asked for each piece: between two of them, the machine may have slept.
        if (this.#until !== 0 && !(this.#now() <= this.#until)) return done(new Error('The bytes came too late to be passed on.'))
        this.push(piece)
        at += piece.length
        this.#left -= piece.length
      }
    }
    done()
  }

  override _flush(done: (error?: Error | null) => void): void {
    done(this.#over ? null : new Error('The stream was cut.'))
  }

  /** Reads as much of a header as there is. Returns how many bytes that were. */
  #readHeader(data: Buffer, at: number): number {
    const taken = data.copy(this.#header, this.#filled, at, at + headerBytes - this.#filled)
    this.#filled += taken
    if (this.#filled === headerBytes) {
      this.#left = this.#header.readUInt32BE(0)
      this.#until = this.#header.readDoubleBE(4)
      this.#filled = 0
      this.#over = this.#left === 0
    }
    return taken
  }
}
