import type { Duplex } from 'node:stream'
import { type Frame, largestFrame, putFrame, sizeOf } from './frames.ts'
import { largestTurn, mostWaiting } from './limits.ts'

/** The longest head of a WebSocket message that has a frame: type and length, and a mask. */
const longestHead = 4 + 4

/** The first byte of a WebSocket message that is binary and in one part. */
const wholeBinary = 0x82
const masked = 0x80
const longestShort = 125

/** Frames leave together, up to so many bytes: what a stream may send in a turn, and a little more. */
const batchSize = largestTurn + 8 * longestHead + largestFrame

/** A batch of up to so many bytes leaves in memory of its own. So a batch that waits for the network takes about as much memory as it has bytes. */
const smallBatch = batchSize / 16

/** How much memory is kept to be used again. */
const mostSpare = Math.floor(mostWaiting / batchSize) + 2

/**
 * Writes frames to the connection of a WebSocket, as its messages. Those of one turn of the event loop leave together: one write for many
 * frames takes less time than one for each.
 */
export class Outbox {
  readonly #connection: Duplex
  readonly #masks: boolean
  readonly #sent: () => void
  #batch: Buffer | null = null
  #used = 0
  #writes = 0
  #scheduled = false
  /** Memory of batches that have left. Using it again makes no garbage. */
  readonly #spare: Buffer[] = []

  /** @param masks whether this end has to mask what it sends. @param sent called whenever something has left */
  constructor(connection: Duplex, masks: boolean, sent: () => void) {
    this.#connection = connection
    this.#masks = masks
    this.#sent = () => {
      this.#writes -= 1
      sent()
    }
  }

  /** How many writes have not left yet. Each costs memory of its own, however small it is. */
  get writes(): number {
    return this.#writes
  }

  /** How many bytes have not left yet. */
  get waiting(): number {
    return this.#connection.writableLength + this.#used
  }

  /** Sends a frame. Its bytes are copied. */
  put(frame: Frame): void {
    const size = sizeOf(frame)
    if (this.#used + longestHead + size > batchSize) this.flush()
    this.#batch ??= this.#spare.pop() ?? Buffer.allocUnsafeSlow(batchSize)
    this.#used = putFrame(frame, this.#batch, this.#putHead(this.#batch, size))
    if (this.#scheduled) return
    this.#scheduled = true
    process.nextTick(this.#flushScheduled)
  }

  /** Sends what `act` sends in as few packets as possible. */
  together(act: () => void): void {
    try {
      act()
    } finally {
      this.flush()
    }
  }

  /** Has everything leave that was put. */
  flush(): void {
    const [batch, used] = [this.#batch, this.#used]
    if (!batch || used === 0) return
    this.#used = 0
    // The WebSocket may have been closed meanwhile.
    if (!this.#connection.writable) return
    this.#writes += 1
    if (used <= smallBatch) return void this.#connection.write(Buffer.from(batch.subarray(0, used)), this.#sent)
    this.#batch = null
    this.#connection.write(batch.subarray(0, used), () => {
      if (this.#spare.length < mostSpare) this.#spare.push(batch)
      this.#sent()
    })
  }

  readonly #flushScheduled = (): void => {
    this.#scheduled = false
    this.flush()
  }

  /**
   * Writes the head of a WebSocket message. Returns where it ends. Masks protect proxies from bytes that a web page chose. Nobody between the
   * two ends of TLS sees these, and masking them in JavaScript would take three quarters of the agent's time. So they are zeros.
   */
  #putHead(batch: Buffer, size: number): number {
    let at = this.#used
    const mask = this.#masks ? masked : 0
    batch[at++] = wholeBinary
    if (size <= longestShort) batch[at++] = mask | size
    else {
      batch[at++] = mask | (longestShort + 1)
      at = batch.writeUInt16BE(size, at)
    }
    return this.#masks ? batch.writeUInt32BE(0, at) : at
  }
}
