/**
 * Other processes of the same installation. An agent has its tunnel to one process; the others reach it through that one.
 * Redis tells which process has which agents. docs/decisions/0062 says why.
 */
export { type Directory, type Notice, noOthers } from './directory.ts'
export { Neighbours } from './neighbours.ts'
export { neighbourProtocol, secretOf, welcomeNeighbour } from './proof.ts'
export { openRedisDirectory } from './redis-directory.ts'
export { type NeighbourLink, serveNeighbour } from './serve-neighbour.ts'
