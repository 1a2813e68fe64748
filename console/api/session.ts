import { useSyncExternalStore } from 'react'

let over = false
const listeners = new Set<() => void>()

/** Records whether the server has refused the key of the person who works here. */
export function sessionIsOver(is: boolean): void {
  if (over === is) return
  over = is
  for (const listener of listeners) listener()
}

/** Returns whether the person has to sign in again to continue. */
export function useSessionOver(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => over,
  )
}
