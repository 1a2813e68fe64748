/**
 * Loaded into a process before its program (`NODE_OPTIONS=--import=…`): its wall clock is off by so many milliseconds as the file says that
 * `JUMPING_CLOCK` names. What counts on without it, as timers do, goes on as it is.
 */
import { readFileSync } from 'node:fs'

const file = process.env['JUMPING_CLOCK'] ?? ''
/** The file is not read for every look at the clock. Milliseconds. */
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
