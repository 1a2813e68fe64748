/** What arrives before a request is read: what many at once may take of the event loop and memory, and connections without a request. */
export { bodyRoom } from './body-room.ts'
export { oneByOne } from './one-by-one.ts'
export { silentConnections } from './silent-connections.ts'
