import { type JSX, useSyncExternalStore } from 'react'
import { distance } from './distance.ts'

/** How often a page reads the clock, in milliseconds. */
const tick = 1_000

/** Returns the current time, to the second, so that people see a decision's time run out. */
function useNow(): number {
  return useSyncExternalStore(
    (changed) => {
      const timer = setInterval(changed, tick)
      return () => clearInterval(timer)
    },
    () => Math.floor(Date.now() / tick) * tick,
  )
}

/** A time relative to now. Its tooltip has the date in UTC, as in the command line and the logs. */
export function Time({ at }: { readonly at: number }): JSX.Element {
  const now = useNow()
  const date = new Date(at).toISOString()
  return (
    <time dateTime={date} title={`${date.slice(0, 19).replace('T', ' ')} UTC`}>
      {distance(at, now)}
    </time>
  )
}
