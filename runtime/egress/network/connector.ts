import { type LookupAddress, lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { createSecureContext } from 'node:tls'
import { buildConnector } from 'undici'
import { AddressRefused } from '../address-refused.ts'
import type { EgressPolicy } from '../policy.ts'

/**
 * Resolves a name as the system does. Refuses it if any of its addresses is not allowed, even if
 * others are public.
 */
function guardedLookup(policy: EgressPolicy): LookupFunction {
  return (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error) return done(error, [])
      const refused = addresses.find(({ address }) => !policy.allowsAddress(address))
      // The message does not say what the name resolves to. A tenant could use that to look up names in
      // the operator's network.
      if (refused) return done(new AddressRefused(`${hostname} resolves to an address that may not be called`), [])
      if (options.all) return done(null, addresses)
      const [first] = addresses
      done(null, first?.address ?? '', first?.family)
    })
  }
}

/**
 * Connects to addresses that the policy allows, over TLS unless the origin is plain HTTP. Nothing
 * turns off certificate validation. The address is checked where the socket is made, so a name
 * cannot pass the check and then resolve to another address.
 * @param ca certificates (PEM) to trust in addition to the system's. Null: none
 */
export function createConnector(policy: EgressPolicy, ca: readonly string[] | null): buildConnector.connector {
  // One context for all connections, because reading the certificates again for each would cost more
  // than the connection.
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
