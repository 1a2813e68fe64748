/**
 * How tenants share what a process has little of: turns of the event loop, and slots for work. A tenant that
 * asks for much waits. The others do not wait for it.
 */
export { Arrivals } from './arrivals.ts'
export { FairGroups } from './fair-groups.ts'
export { FairQueue } from './fair-queue.ts'
export { Fifo } from './fifo.ts'
export { currentLane, inLane, laneOf } from './lane.ts'
export { LaneLoads } from './lane-loads.ts'
export { atOnce, inTurns, type Pausing } from './pausing.ts'
export { type Release, Slots, slotsFor } from './slots.ts'
export { loopTurns, noTurns, type Turns } from './turns.ts'
