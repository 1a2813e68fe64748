/** Smaller parts are copied together: each part kept by itself would cost more than its bytes. */
const small = 16_384
const room = 65_536

/** The body of an answer as it comes, in parts of any size: a system may send one byte at a time. */
export class Pieces {
  readonly #whole: Buffer[] = []
  #open: Buffer | null = null
  #used = 0

  add(part: Buffer): void {
    if (part.length >= small) {
      this.#close()
      this.#whole.push(part)
      return
    }
    if (this.#open && this.#used + part.length > this.#open.length) this.#close()
    this.#open ??= Buffer.allocUnsafe(room)
    part.copy(this.#open, this.#used)
    this.#used += part.length
  }

  /** All that came, in one. */
  joined(): Buffer {
    this.#close()
    const [only] = this.#whole
    return this.#whole.length === 1 && only ? only : Buffer.concat(this.#whole)
  }

  #close(): void {
    if (this.#open && this.#used > 0) this.#whole.push(this.#open.subarray(0, this.#used))
    this.#open = null
    this.#used = 0
  }
}
