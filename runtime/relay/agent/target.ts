import { lookup } from 'node:dns'
import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import type { AllowList } from './allow-list.ts'

/** A host and a port that the runtime asks for. */
export interface Target {
  readonly host: string
  readonly port: number
}

/** The allow-list has no entry for the target. Nothing was connected. */
export class NotAllowed extends Error {
  override readonly name = 'NotAllowed'
}

/** Returns the target if it is one. Null: malformed. */
export function validTarget(asked: Target | null): Target | null {
  if (!asked) return null
  const { host, port } = asked
  const named = /^[a-z0-9._-]{1,253}$/i.test(host) || isIP(host) === 6
  return named && Number.isInteger(port) && port >= 1 && port <= 65_535 ? { host, port } : null
}

/** Resolves a name here, at the agent, and refuses it unless the list allows all of its addresses. */
function guarded(allow: AllowList, port: number): LookupFunction {
  return (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, [])
      // The address that was checked is the one that is connected to.
      if (!addresses.every(({ address }) => allow.allowsAddress(address, port))) return done(new NotAllowed(host), [])
      if (options.all) return done(null, addresses)
      done(null, addresses[0]?.address ?? '', addresses[0]?.family)
    })
  }
}

/** Memory that all sockets read into. Each read is over before the next one begins. */
const shared = Buffer.allocUnsafeSlow(64 * 1024)

/** Who takes what a target sends. */
export interface Reader {
  /** How many bytes it takes at once. 0: none at the moment. */
  readonly takes: () => number
  /** Gets the bytes that come. Their memory is used again afterwards. Returns false to hold the socket back until it is resumed. */
  readonly read: (bytes: Buffer) => boolean
}

/**
 * Connects to a target. The socket fails with `NotAllowed` if a name resolves to an address that the list does not allow.
 * @throws NotAllowed
 */
export function connectTo({ host, port }: Target, allow: AllowList, { takes, read }: Reader): Socket {
  // No more is read than can leave at once, because the rest would have to be kept.
  const buffer = (): Buffer => shared.subarray(0, takes() || shared.length)
  const onread = { buffer, callback: (bytes: number) => read(shared.subarray(0, bytes)) }
  const common = { host, port, noDelay: true, onread }
  if (allow.allowsName(host, port)) return connect(common)
  if (isIP(host) > 0) {
    if (!allow.allowsAddress(host, port)) throw new NotAllowed(host)
    return connect(common)
  }
  if (!allow.allowsSome(port)) throw new NotAllowed(host)
  return connect({ ...common, lookup: guarded(allow, port) })
}
