/** What many requests at once may take before they are read: turns of the event loop, and memory. */
export { bodyRoom } from './body-room.ts'
export { oneByOne } from './one-by-one.ts'
