import type { WebSocket } from 'ws'

/** Resolves when a WebSocket is closed. Call it before that. */
export function closed(socket: WebSocket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()))
}
