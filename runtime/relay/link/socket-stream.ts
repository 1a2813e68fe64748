import { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { largestMessage } from './limits.ts'

interface Written {
  readonly chunk: Buffer
}

/** Joins small chunks and divides large ones, so that each message is as large as it may be. */
function messagesOf(chunks: readonly Buffer[]): readonly Buffer[] {
  const messages: Buffer[] = []
  let waiting: Buffer[] = []
  let size = 0
  const flush = (): void => {
    if (size > 0) messages.push(waiting.length === 1 ? (waiting[0] as Buffer) : Buffer.concat(waiting, size))
    waiting = []
    size = 0
  }
  for (const chunk of chunks)
    for (let at = 0; at < chunk.length; ) {
      const piece = chunk.subarray(at, at + largestMessage - size)
      waiting.push(piece)
      size += piece.length
      at += piece.length
      if (size === largestMessage) flush()
    }
  flush()
  return messages
}

/**
 * The bytes of a WebSocket's binary messages, as a stream in both directions. Holds back the peer while nobody reads. A
 * text message ends it.
 */
export class SocketStream extends Duplex {
  readonly #socket: WebSocket

  constructor(socket: WebSocket) {
    super({ readableHighWaterMark: largestMessage, writableHighWaterMark: largestMessage })
    this.#socket = socket
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (!isBinary) this.destroy(new Error('the peer sent a text message into the tunnel'))
      else if (!this.push(data)) socket.pause()
    })
    socket.on('error', (error) => this.destroy(error))
    socket.on('close', () => {
      this.push(null)
      this.destroy()
    })
  }

  override _read(): void {
    this.#socket.resume()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#send([chunk], done)
  }

  override _writev(chunks: readonly Written[], done: (error?: Error | null) => void): void {
    this.#send(
      chunks.map(({ chunk }) => chunk),
      done,
    )
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#socket.close(1000)
    done()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    // A peer that is gone does not answer a closing handshake, so the socket is ended at once. What it has not sent is dropped.
    this.#socket.terminate()
    done(error)
  }

  #send(chunks: readonly Buffer[], done: (error?: Error | null) => void): void {
    const messages = messagesOf(chunks)
    if (messages.length === 0) return done()
    for (const [at, message] of messages.entries()) this.#socket.send(message, at === messages.length - 1 ? done : undefined)
  }
}
