/**
 * The only way out. Checks the address, resolves the name, sends over TLS, and tells whether a request left before
 * it failed. `sendUnlessPaused` checks pauses for the last time.
 */

import { rootCertificates } from 'node:tls'
import { Agent } from 'undici'
import type { Clock } from '../domain/index.ts'
import { messageOf } from '../errors/index.ts'
import type { Carrier, Carriers } from './carrier.ts'
import { createConnector } from './connector.ts'
import { Exchange, type Exchanged } from './exchange.ts'
import { openConnection } from './open-connection.ts'
import { createPolicy, type EgressPolicy } from './policy.ts'
import { routedCarriers } from './routed.ts'
import { type Checked, sendUnlessPaused } from './send-unless-paused.ts'
import { StreamExchange } from './stream.ts'
import type { Egress, OutboundRequest, OutboundResult } from './types.ts'

export type { Carried, Carriers } from './carrier.ts'
export { tlsFaultIn } from './causes.ts'
export { Pieces } from './pieces.ts'
export { type Route, RouteFailed, type RouteOf, type RouteStream } from './route.ts'
export type * from './types.ts'

export interface EgressSettings {
  /** Certificates (PEM) to trust in addition to the system's. */
  readonly ca: readonly string[]
  /** The entries of TOCSIN_EGRESS_ALLOW. */
  readonly allow: readonly string[]
  /** The most connections to one origin. Absent: 64. */
  readonly connections?: number
}

/** Returns host and port for connecting. An IPv6 address comes without its brackets. */
function hostOf({ protocol, hostname, port }: URL): readonly [hostname: string, port: number] {
  return [hostname.replace(/^\[|\]$/g, ''), Number(port || (protocol === 'http:' ? 80 : 443))]
}

function schemeRefusal(url: URL, plainHttp: boolean, policy: EgressPolicy): string | null {
  const { protocol, origin } = url
  if (protocol === 'https:') return null
  if (!plainHttp || protocol !== 'http:') return `${origin} is not HTTPS.`
  const named = policy.names(...hostOf(url))
  return named ? null : `${origin} is not HTTPS. Plain HTTP is allowed only if TOCSIN_EGRESS_ALLOW names the host.`
}

/** Returns why a URL may not be called, or null if it may. */
function objectionTo(
  { url, origins, route, plainHttp = false }: Pick<OutboundRequest, 'url' | 'origins' | 'route' | 'plainHttp'>,
  policy: EgressPolicy,
): string | null {
  const scheme = schemeRefusal(url, plainHttp && route === null, policy)
  if (scheme !== null) return scheme
  if (url.username || url.password) return 'A URL must not contain a user name or password.'
  if (!origins.includes(url.origin)) return `${url.origin} is not one of the connection's origins.`
  // A private address of this network is none of the other network: there, the allow-list of the agent decides.
  if (route !== null) return null
  // A host name is checked when the socket is made, because only then its addresses are known.
  return policy.refusesLiteral(...hostOf(url)) ? `${url.hostname} is not a public address. TOCSIN_EGRESS_ALLOW can allow others.` : null
}

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

function carriersOf(policy: EgressPolicy, settings: EgressSettings): Carriers {
  const direct = sockets(policy, settings)
  const routed = routedCarriers(trusted(settings.ca), settings.connections ?? 64)
  return {
    of: (route) => (route === null ? direct : routed.of(route)),
    async destroy() {
      await Promise.all([direct.destroy(), routed.destroy()])
    },
  }
}

/**
 * Creates the one way out to external systems. Requests go over HTTPS, to the connection's own
 * origins, to addresses that the policy allows. They have a deadline, a limit for the size of the
 * answer, and, if they write, a pause check. Plain HTTP is possible only if the request allows it
 * and the operator has named the host. Redirects are not followed: the caller gets them as the
 * answer.
 * @param substitute replaces the network. Absent: the real one
 * @throws TocsinError `config_invalid` if an entry of `allow` cannot be read
 */
export function createEgress(settings: EgressSettings, clock: Clock, substitute?: Carriers): Egress {
  const policy = createPolicy(settings.allow)
  const carriers = substitute ?? carriersOf(policy, settings)

  const dispatch = (request: OutboundRequest, exchange: Exchange | StreamExchange): void => {
    const { url, method, headers, body, sendBy } = request
    try {
      carriers.of(request.route).dispatch({ origin: url.origin, path: url.pathname + url.search, method, headers, body, sendBy }, exchange)
    } catch (error) {
      exchange.stop('network', messageOf(error))
    }
  }

  const refusalOf = (request: OutboundRequest): Exclude<OutboundResult, { effect: 'done' }> | null => {
    const message = objectionTo(request, policy)
    return message === null ? null : { effect: 'refused', code: 'egress_refused', message }
  }

  const exchange = (request: OutboundRequest, { freshUntil, left }: Checked, signal?: AbortSignal): Promise<Exchanged> =>
    new Promise((resolve) => {
      let cancel = (): void => {}
      const onAbort = (): void => one.stop('network', 'The call was abandoned.')
      const one = new Exchange(request, clock, freshUntil, (result) => {
        cancel()
        signal?.removeEventListener('abort', onAbort)
        resolve(result)
      })
      cancel = clock.after(left, () => one.stop('call_timeout', `No answer within ${request.timeout} ms.`))
      if (signal?.aborted) return onAbort()
      signal?.addEventListener('abort', onAbort)
      dispatch(request, one)
    })

  return {
    objection: (request) => objectionTo(request, policy),
    call(request, signal) {
      const refusal = refusalOf(request)
      if (refusal) return Promise.resolve(refusal)
      return sendUnlessPaused(request, clock, signal, exchange)
    },
    reach(request, signal) {
      if (objectionTo(request, policy) !== null) return Promise.resolve()
      return openConnection(carriers.of(request.route), request, clock, signal)
    },
    open(request, signal) {
      const refusal = refusalOf(request)
      if (refusal) return Promise.resolve(refusal)
      return new Promise((resolve) => {
        const exchange = new StreamExchange(request, clock, resolve, () => signal.removeEventListener('abort', onAbort))
        const onAbort = (): void => exchange.stop('network', 'The call was abandoned.')
        if (signal.aborted) return onAbort()
        signal.addEventListener('abort', onAbort)
        dispatch(request, exchange)
      })
    },
    async close() {
      await carriers.destroy()
    },
  }
}

/** Adds the system's certificates, because Node would use only those in `ca`. */
function trusted(ca: readonly string[]): readonly string[] | null {
  return ca.length > 0 ? [...rootCertificates, ...ca] : null
}
