import type { Millis } from '../../domain/index.ts'
import { copyOf, giveBack } from './kept.ts'
import { largestPiece, smallPiece } from './limits.ts'

/** Some bytes of a stream. */
export interface Piece {
  readonly bytes: Buffer
  /** Until when an agent may pass them on. Null: no such limit */
  readonly until: Millis | null
}

/** A piece that waits. */
interface Waiting {
  bytes: Buffer
  until: Millis | null
  /** Memory of this piece only. The piece is somewhere in it, and more may follow behind it. Null: the bytes belong to somebody else. */
  own: Buffer | null
  /** Whether its memory came from `copyOf`, and goes back when the piece was used. */
  kept: boolean
  next: Waiting | null
}

/**
 * Bytes of a stream that wait. The other end decides how small its pieces are, and each one that waits costs memory and time. So small ones are
 * joined.
 */
export class Pieces {
  #first: Waiting | null = null
  #last: Waiting | null = null
  /** The memory of the piece that was taken last. It may still be used until the next one is taken. */
  #used: Buffer | null = null

  get empty(): boolean {
    return this.#first === null
  }

  /**
   * Adds bytes. Small ones are copied behind the piece before them. Both then have the earlier limit of the two: a piece that is too late ends
   * its stream.
   */
  add(bytes: Buffer, until: Millis | null): void {
    const last = this.#last
    if (last && bytes.length <= smallPiece && append(last, bytes)) {
      last.until = earlier(last.until, until)
      return
    }
    const waiting: Waiting = { bytes, until, own: null, kept: false, next: null }
    if (last) last.next = waiting
    else this.#first = waiting
    this.#last = waiting
  }

  /** Copies the bytes that were added last, so that their memory can be used again. */
  keep(): void {
    const last = this.#last
    if (!last || last.own) return
    last.own = copyOf(last.bytes)
    last.bytes = last.own
    last.kept = true
  }

  /** Takes the next piece, or as much of it as `most` allows. If it was kept, use it before you take the next one. Null: nothing waits. */
  take(most = Number.POSITIVE_INFINITY): Piece | null {
    this.#reuse()
    const first = this.#first
    if (!first) return null
    const { bytes, until } = first
    if (bytes.length > most) {
      first.bytes = bytes.subarray(most)
      return { bytes: bytes.subarray(0, most), until }
    }
    this.#first = first.next
    if (!this.#first) this.#last = null
    if (first.kept) this.#used = first.own
    return first
  }

  /** Moves earlier limits to this one. */
  extend(until: Millis): void {
    for (let piece = this.#first; piece; piece = piece.next) if (piece.until !== null && until > piece.until) piece.until = until
  }

  clear(): void {
    this.#first = null
    this.#last = null
  }

  #reuse(): void {
    if (this.#used) giveBack(this.#used)
    this.#used = null
  }
}

/**
 * Copies bytes behind a piece. Returns whether it did: not if the piece is large. New memory is twice as large as needed at the moment, so each
 * byte is copied a few times at most.
 */
function append(to: Waiting, more: Buffer): boolean {
  const { bytes, own } = to
  const size = bytes.length + more.length
  const start = own ? bytes.byteOffset - own.byteOffset : 0
  if (own && start + size <= own.length) {
    more.copy(own, start + bytes.length)
    to.bytes = own.subarray(start, start + size)
    return true
  }
  if (2 * size > largestPiece) return false
  to.own = Buffer.allocUnsafe(2 * size)
  to.kept = false
  bytes.copy(to.own)
  more.copy(to.own, bytes.length)
  to.bytes = to.own.subarray(0, size)
  return true
}

/** A limit that is no number is the earliest. */
function earlier(one: Millis | null, other: Millis | null): Millis | null {
  if (one === null) return other
  return other === null ? one : Math.min(one, other)
}
