/** Connections of the HTTP client, directly and over routes. Loaded at the first call: a start needs none. */
import { Agent } from 'undici'
import type { Carrier, Carriers } from '../carrier.ts'
import type { EgressPolicy } from '../policy.ts'
import { trusted } from '../trust.ts'
import type { EgressSettings } from '../types.ts'
import { createConnector } from './connector.ts'
import { routedCarriers } from './routed.ts'

function sockets(policy: EgressPolicy, { ca, connections = 64 }: EgressSettings): Carrier {
  return new Agent({
    connect: createConnector(policy, trusted(ca)),
    // One request at a time on a connection: with pipelining, one lost connection would leave several
    // writes in doubt.
    pipelining: 1,
    connections,
    // No time-outs here: our own deadline covers the whole call.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 4_000,
  })
}

/** Returns the carriers that use the network. */
export function networkCarriers(policy: EgressPolicy, settings: EgressSettings): Carriers {
  const direct = sockets(policy, settings)
  const routed = routedCarriers(trusted(settings.ca), settings.connections ?? 64)
  return {
    of: (route) => (route === null ? direct : routed.of(route)),
    async destroy() {
      await Promise.all([direct.destroy(), routed.destroy()])
    },
  }
}
