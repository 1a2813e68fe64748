import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import type { AllowList } from './allow-list.ts'
import type { Names } from './names.ts'

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

/**
 * Resolves a name here, at the agent, and refuses it unless all of its addresses are allowed. The addresses that were checked are those that
 * are connected to: the name is not looked up again.
 */
function guarded(names: Names, allows: (address: string) => boolean): LookupFunction {
  return (host, options, done) => {
    names.find(host, (error, addresses) => {
      if (error) return done(error, [])
      if (!addresses.every(({ address }) => allows(address))) return done(new NotAllowed(host), [])
      if (options.all) return done(null, addresses)
      done(null, addresses[0]?.address ?? '', addresses[0]?.family)
    })
  }
}

/** Memory that all sockets read into. A read's bytes are sent or copied before the next read. */
const shared = Buffer.allocUnsafeSlow(64 * 1024)

/** What an agent may connect to, and how it finds it. */
export interface Reach {
  readonly allow: AllowList
  readonly names: Names
}

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
export function connectTo({ host, port }: Target, { allow, names }: Reach, { takes, read }: Reader): Socket {
  // No more is read than can leave at once, because the rest would have to be kept.
  const buffer = (): Buffer => shared.subarray(0, takes() || shared.length)
  const onread = { buffer, callback: (bytes: number) => read(shared.subarray(0, bytes)) }
  const common = { host, port, noDelay: true, onread }
  if (allow.allowsName(host, port)) return connect({ ...common, lookup: guarded(names, () => true) })
  if (isIP(host) > 0) {
    if (!allow.allowsAddress(host, port)) throw new NotAllowed(host)
    return connect(common)
  }
  if (!allow.allowsSome(port)) throw new NotAllowed(host)
  return connect({ ...common, lookup: guarded(names, (address) => allow.allowsAddress(address, port)) })
}
