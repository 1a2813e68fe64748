import type { Millis } from '../domain/index.ts'
import { FairQueue } from './fair-queue.ts'

/**
 * Shares the event loop. Work whose length a tenant chooses asks for a turn between its parts, so that requests, timers and other
 * tenants get theirs.
 */
export interface Turns {
  /**
   * @param key who works: an organization. Keys that wait take turns.
   * @returns null while this turn of the event loop may go on; else a promise to wait for before going on
   */
  next(key: string): Promise<void> | null
}

/** Never waits: for tests and simulations, whose order of events must not depend on speed. */
export const noTurns: Turns = { next: () => null }

/** How long work may hold the event loop before it has to wait for its next turn. */
const slice: Millis = 8

/** What turns need of the process. */
export interface Loop {
  /** Milliseconds from any fixed moment. */
  elapsed(): Millis
  /** Calls back after the event loop has looked for timers, sockets and messages once more. */
  soon(callback: () => void): void
}

const nodeLoop: Loop = { elapsed: () => performance.now(), soon: (callback) => void setImmediate(callback) }

/**
 * Turns of the process's event loop. After 8 ms of work, callers have to wait. Then each pass of the loop lets one of them go on, and handles timers,
 * sockets and messages before the next one.
 */
export function loopTurns(loop: Loop = nodeLoop): Turns {
  const waiting = new FairQueue<() => void>()
  /** When the work of this pass began; null: nobody has asked in it yet. */
  let began: Millis | null = null

  const begin = (): void => {
    began = loop.elapsed()
    loop.soon(() => {
      began = null
      const next = waiting.shift()
      if (!next) return
      begin()
      next()
    })
  }

  return {
    next(key) {
      if (began === null) begin()
      const used = waiting.size > 0 || loop.elapsed() - (began ?? 0) >= slice
      return used ? new Promise((resolve) => void waiting.push(key, resolve)) : null
    },
  }
}
