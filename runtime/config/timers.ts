import type { Millis } from '../domain/index.ts'

/** The longest timer of Node. It fires a longer one after a millisecond. */
const longestTimer: Millis = 2 ** 31 - 1

/** Sets a timer with any delay. `Infinity` never fires. Returns a function that cancels it. */
export function setTimer(delay: Millis, action: () => void): () => void {
  let timer: NodeJS.Timeout
  const arm = (left: Millis): void => {
    const next = Math.min(left, longestTimer)
    timer = setTimeout(() => (left > next ? arm(left - next) : action()), next)
  }
  arm(delay)
  return () => clearTimeout(timer)
}
