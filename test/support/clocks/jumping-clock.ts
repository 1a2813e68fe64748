/**
 * Loaded into a process before its program (`NODE_OPTIONS=--import=…`). It shifts the wall clock by the milliseconds in the file that
 * `JUMPING_CLOCK` names. Timers, which do not use the wall clock, are not affected.
 */
import { readFileSync } from 'node:fs'

const file = process.env['JUMPING_CLOCK'] ?? ''
/** How long a value read from the file is used, in milliseconds. */
const fresh = 10
const real = Date.now
let offset = 0
let readAt = Number.NEGATIVE_INFINITY

Date.now = () => {
  if (performance.now() - readAt > fresh) {
    offset = Number(readFileSync(file, 'utf8'))
    readAt = performance.now()
  }
  return real() + offset
}
