import { useSyncExternalStore } from 'react'

/** How often times that are relative to now are refreshed, in milliseconds. */
const tick = 1_000
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | null = null

/** All times of the page share one timer. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    for (const one of listeners) one()
  }, tick)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0 || timer === null) return
    clearInterval(timer)
    timer = null
  }
}

/** Returns the current time in epoch milliseconds, to the second, so that people see a decision's time run out. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => Math.floor(Date.now() / tick) * tick)
}
