import type { Millis } from '../domain/index.ts'

/** Node fires a timer that is longer than this after a millisecond. */
const longestTimer: Millis = 2 ** 31 - 1

/** Sets Node's timer, however long the delay; `Infinity` never fires. Returns what cancels it. */
export function setTimer(delay: Millis, action: () => void): () => void {
  let timer: NodeJS.Timeout
  const arm = (left: Millis): void => {
    const next = Math.min(left, longestTimer)
    timer = setTimeout(() => (left > next ? arm(left - next) : action()), next)
  }
  arm(delay)
  return () => clearTimeout(timer)
}
