import type { Millis } from '../domain/index.ts'
import { FairQueue } from './fair-queue.ts'

/**
 * Shares the event loop. Work whose length a tenant chooses asks for a turn between its parts. So requests,
 * timers and other tenants get their turns too.
 */
export interface Turns {
  /**
   * Asks for a turn.
   * @param key the organization that the work is for. Waiting keys take turns.
   * @returns null if the work may go on at once; else a promise to wait for before going on. Do not await null: others would ask before this work
   * begins, be told the same, and then all of them would work in one turn
   */
  next(key: string): Promise<void> | null
}

/** Never waits. For tests and simulations, where the order of events must not depend on speed. */
export const noTurns: Turns = { next: () => null }

/** How long work may hold the event loop before it has to wait for its next turn. */
const slice: Millis = 8

/** What turns need from the process. */
export interface Loop {
  /** Milliseconds since any fixed moment. */
  elapsed(): Millis
  /** Calls back after the event loop has handled timers, sockets and messages once more. */
  soon(callback: () => void): void
}

const nodeLoop: Loop = { elapsed: () => performance.now(), soon: (callback) => void setImmediate(callback) }

/**
 * Shares the process's event loop. After 8 ms of work, callers have to wait. Then each pass of the loop lets
 * one of them go on. Timers, sockets and messages are handled before the next one.
 */
export function loopTurns(loop: Loop = nodeLoop): Turns {
  const waiting = new FairQueue<() => void>()
  /** When the work of this pass began. Null: nobody has asked in this pass yet. */
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
