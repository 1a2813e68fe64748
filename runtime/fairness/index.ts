/**
 * How tenants share the scarce things of a process: turns of the event loop, and slots for work. A tenant that asks for much waits; the others do not
 * wait for it.
 */
export { FairQueue } from './fair-queue.ts'
export { Fifo } from './fifo.ts'
export { atOnce, inTurns, type Pausing } from './pausing.ts'
export { type Release, Slots, slotsFor } from './slots.ts'
export { loopTurns, noTurns, type Turns } from './turns.ts'
