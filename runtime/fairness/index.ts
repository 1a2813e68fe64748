/**
 * How tenants share what a process has one of, or few of: the event loop (turns), and slots for work. Whoever asks for much waits; the
 * others do not wait for it.
 */
export { FairQueue } from './fair-queue.ts'
export { Fifo } from './fifo.ts'
export { atOnce, inTurns, type Pausing } from './pausing.ts'
export { type Release, Slots, slotsFor } from './slots.ts'
export { type Loop, loopTurns, noTurns, type Turns } from './turns.ts'
