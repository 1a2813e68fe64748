import { type LookupAddress, lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { createSecureContext } from 'node:tls'
import { buildConnector } from 'undici'
import type { EgressPolicy } from './policy.ts'

/** The policy refused an address: nothing was sent. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
}

/** Resolves a name as the system does, and refuses it when any of its addresses may not be connected to: a name that points inside as well is not trusted. */
function guardedLookup(policy: EgressPolicy): LookupFunction {
  return (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error) return done(error, [])
      const refused = addresses.find(({ address }) => !policy.allowsAddress(address))
      // The message does not say what the name resolves to: a tenant could use that to look up names of the operator's network.
      if (refused) return done(new AddressRefused(`${hostname} does not lead to an address that may be called`), [])
      if (options.all) return done(null, addresses)
      const [first] = addresses
      done(null, first?.address ?? '', first?.family)
    })
  }
}

/**
 * Connects, over TLS with certificate validation that nothing turns off unless the origin is one of plain HTTP, to addresses that the policy allows. The address is
 * checked where the socket is made, so that a name which resolves differently the second time gains nothing.
 * @param ca PEM of certificates trusted beside the system's; null for none
 */
export function createConnector(policy: EgressPolicy, ca: readonly string[] | null): buildConnector.connector {
  // One context for all connections: reading the certificates anew for each would cost more than the connection.
  const secureContext = createSecureContext(ca ? { ca: [...ca] } : {})
  const common = { secureContext, rejectUnauthorized: true, allowH2: false, timeout: 10_000, maxCachedSessions: 1_000 }
  const direct = buildConnector(common)
  const guarded = buildConnector({ ...common, lookup: guardedLookup(policy) })
  return (options, callback) => {
    const port = Number(options.port || (options.protocol === 'http:' ? 80 : 443))
    const hostname = options.hostname.replace(/^\[|\]$/g, '')
    if (policy.allowsHost(hostname, port)) return direct(options, callback)
    if (policy.refusesLiteral(hostname, port)) return callback(new AddressRefused(`${hostname} is not allowed`), null)
    guarded(options, callback)
  }
}
