/** Smaller parts are copied into one buffer. Kept separately, each would cost more memory than its bytes. */
const small = 16_384
const room = 65_536

/** Up to this size, copying everything at once takes about a millisecond. */
const shortBody = 1_048_576

/** The first buffer of a long body. A body that outgrows its buffer gets one of twice the size. */
const firstBuffer = 33_554_432

/**
 * Collects the body of an answer from parts of any size, even single bytes. The parts of a long
 * body are copied as they arrive. Copying 20 MiB at once can block the event loop for 100 ms,
 * because the operating system has to clear every page first.
 */
export class Pieces {
  readonly #whole: Uint8Array[] = []
  readonly #most: number
  #open: Buffer | null = null
  #used = 0
  #size = 0
  /** The buffer of a long body. The operating system provides memory only for the part that was written. */
  #long: Buffer | null = null

  /** @param most the most bytes that the whole body may have. The caller must stop before it adds more */
  constructor(most: number) {
    this.#most = most
  }

  add(part: Uint8Array): void {
    const at = this.#size
    this.#size += part.length
    if (this.#size <= shortBody) return this.#keep(part)
    if (!this.#long || this.#size > this.#long.length) this.#long = this.#larger(at)
    this.#long.set(part, at)
  }

  /** Returns all parts as one buffer. */
  joined(): Buffer {
    if (this.#long) return this.#long.subarray(0, this.#size)
    return this.#joinedShort()
  }

  #joinedShort(): Buffer {
    this.#close()
    const [only] = this.#whole
    return this.#whole.length === 1 && only ? Buffer.from(only.buffer, only.byteOffset, only.byteLength) : Buffer.concat(this.#whole)
  }

  /** @param size how many bytes of the body have already arrived */
  #larger(size: number): Buffer {
    const before = this.#long?.subarray(0, size) ?? this.#joinedShort()
    this.#whole.length = 0
    const larger = Buffer.allocUnsafeSlow(Math.min(this.#most, Math.max(firstBuffer, 2 * this.#size)))
    larger.set(before)
    return larger
  }

  #keep(part: Uint8Array): void {
    if (part.length >= small) {
      this.#close()
      this.#whole.push(part)
      return
    }
    if (this.#open && this.#used + part.length > this.#open.length) this.#close()
    this.#open ??= Buffer.allocUnsafe(room)
    this.#open.set(part, this.#used)
    this.#used += part.length
  }

  #close(): void {
    if (this.#open && this.#used > 0) this.#whole.push(this.#open.subarray(0, this.#used))
    this.#open = null
    this.#used = 0
  }
}
