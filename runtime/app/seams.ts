import { systemClock, systemIds } from '../config/index.ts'
import type { Clock, Ids } from '../domain/index.ts'

/** Where a process gets its time and its ids from. */
export interface Seams {
  readonly clock: Clock
  readonly ids: Ids
}

/** The clock and the random source of this machine. */
export const machine: Seams = { clock: systemClock, ids: systemIds }
