import { type JSX, useSyncExternalStore } from 'react'
import { distance } from './distance.ts'

/** How often a page looks at the clock. Milliseconds. */
const tick = 1_000

/** The time, to the second, so that what expires is seen to run out while nothing else changes. */
function useNow(): number {
  return useSyncExternalStore(
    (changed) => {
      const timer = setInterval(changed, tick)
      return () => clearInterval(timer)
    },
    () => Math.floor(Date.now() / tick) * tick,
  )
}

/** A time as it stands from now; with the date in UTC, as the command line and the logs have it, for whoever points at it. */
export function Time({ at }: { readonly at: number }): JSX.Element {
  const now = useNow()
  const date = new Date(at).toISOString()
  return (
    <time dateTime={date} title={`${date.slice(0, 19).replace('T', ' ')} UTC`}>
      {distance(at, now)}
    </time>
  )
}
