import type { WebSocket } from 'ws'
import { mostMessagesInTurn } from './limits.ts'

/**
 * Has a WebSocket read no more in a turn of the event loop after many messages. One read of its connection takes up to 2 MB, which can be
 * 300,000 empty messages, and a second. Whoever may connect could hold up all others. Call it before anything comes.
 */
export function readInTurns(socket: WebSocket): void {
  let came = 0
  const nextTurn = (): void => {
    const paused = came >= mostMessagesInTurn
    came = 0
    if (paused) socket.resume()
  }
  const count = (): void => {
    came += 1
    if (came === 1) setImmediate(nextTurn)
    if (came === mostMessagesInTurn) socket.pause()
  }
  for (const event of ['message', 'ping', 'pong'] as const) socket.on(event, count)
}
