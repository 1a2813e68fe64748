/**
 * Other processes of the same installation. An agent has its tunnel to one process; the others reach it through that one.
 * Redis tells which process has which agents. docs/decisions/0062 says why.
 */
import type { Directory } from './directory.ts'
import type { RedisDirectoryOptions } from './redis-directory.ts'

export { type Directory, type Notice, noOthers } from './directory.ts'
export { Neighbours } from './neighbours.ts'
export { type NeighbourWire, neighbourProtocols, secretOf, welcomeNeighbour } from './proof.ts'
export { type CarriedStream, type Carry, type NeighbourLink, serveNeighbour } from './serve-neighbour.ts'

/** Opens the directory on Redis. Loads Redis only when it is needed. */
export async function openRedisDirectory(options: RedisDirectoryOptions): Promise<Directory> {
  const { openRedisDirectory: open } = await import('./redis-directory.ts')
  return open(options)
}
