import { useSyncExternalStore } from 'react'

let away = false
const listeners = new Set<() => void>()

/** Records whether the last request got an answer from the server. */
export function serverIsAway(is: boolean): void {
  if (away === is) return
  away = is
  for (const listener of listeners) listener()
}

/** Returns whether the server did not answer the last request. */
export function useServerAway(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => away,
  )
}
