import type { JSX } from 'react'
import { distance } from './distance.ts'
import { useNow } from './now.ts'
import { withOffset } from './with-offset.ts'

const dayAndTime = new Intl.DateTimeFormat('en-GB', { day: '2-digit', month: 'short', hour: '2-digit', minute: '2-digit', second: '2-digit' })
const withYear = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** The exact instant: `2026-11-22 14:03:22.120 UTC`, as in the command line and the logs. */
function instant(at: number): string {
  return `${new Date(at).toISOString().replace('T', ' ').replace('Z', '')} UTC`
}

/** Formats a time in the viewer's zone: `22 Nov, 14:03:22`, with the year if it is not this year. */
function localTime(at: number, now: number): string {
  return withOffset(at, (new Date(at).getFullYear() === new Date(now).getFullYear() ? dayAndTime : withYear).format(at))
}

/** Formats a time in the viewer's zone, with the year: `22 Nov 2026, 14:03:22`. */
export function fullTime(at: number): string {
  return withOffset(at, withYear.format(at))
}

/** Formats a time of today in the viewer's zone: `14:03:22`. */
export function clockTime(at: number): string {
  return new Date(at).toLocaleTimeString('en-GB')
}

/** A time relative to now: `3 min. ago`. Its tooltip has the date in the viewer's zone and the exact instant. */
export function Time({ at }: { readonly at: number }): JSX.Element {
  const now = useNow()
  return (
    <time dateTime={new Date(at).toISOString()} title={`${fullTime(at)} ${zone}\n${instant(at)}`}>
      {distance(at, now)}
    </time>
  )
}

/** A date and time in the viewer's zone. Its tooltip has the exact instant, and how long ago that is. */
export function When({ at }: { readonly at: number }): JSX.Element {
  const now = useNow()
  return (
    <time dateTime={new Date(at).toISOString()} title={`${instant(at)}\n${distance(at, now)}`} className="when">
      {localTime(at, now)}
    </time>
  )
}
