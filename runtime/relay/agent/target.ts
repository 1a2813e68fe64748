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

/** Reads `host:port`. Null: malformed. */
export function readTarget(authority: string | undefined): Target | null {
  const found = /^(?:\[([0-9a-f:.]{2,45})\]|([a-z0-9._-]{1,253})):(\d{1,5})$/i.exec(authority ?? '')
  if (!found) return null
  const host = found[1] ?? found[2] ?? ''
  const port = Number(found[3])
  return port >= 1 && port <= 65_535 && (found[1] === undefined || isIP(host) === 6) ? { host, port } : null
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

/** Connects to a target. The socket fails with `NotAllowed` if a name resolves to an address that the list does not allow. @throws NotAllowed */
export function connectTo({ host, port }: Target, allow: AllowList): Socket {
  if (allow.allowsName(host, port)) return connect({ host, port, noDelay: true })
  if (isIP(host) > 0) {
    if (!allow.allowsAddress(host, port)) throw new NotAllowed(host)
    return connect({ host, port, noDelay: true })
  }
  if (!allow.allowsSome(port)) throw new NotAllowed(host)
  return connect({ host, port, noDelay: true, lookup: guarded(allow, port) })
}
