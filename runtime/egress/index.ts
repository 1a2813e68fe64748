/**
 * The only way out. Checks the address, resolves the name, sends over TLS, and tells whether a request left before
 * it failed. `sendUnlessPaused` checks pauses for the last time.
 */

import type { Clock } from '../domain/index.ts'
import { messageOf } from '../errors/index.ts'
import { durationText } from '../formats/index.ts'
import type { Carriers } from './carrier.ts'
import { Exchange, type Exchanged } from './exchange.ts'
import { openConnection } from './open-connection.ts'
import { createPolicy, type EgressPolicy } from './policy.ts'
import { type Checked, sendUnlessPaused } from './send-unless-paused.ts'
import { StreamExchange } from './streamed/index.ts'
import type { Egress, EgressSettings, OutboundRequest, OutboundResult } from './types.ts'

export type { Carried, Carriers } from './carrier.ts'
export { tlsFaultIn } from './causes.ts'
export { describe } from './exchange.ts'
export { Pieces } from './pieces.ts'
export { type Route, RouteFailed, type RouteOf, type RouteStream } from './route.ts'
export { trustAlso, trusted } from './trust.ts'
export type * from './types.ts'

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
  return policy.refusesLiteral(...hostOf(url)) ? `${url.hostname} is not a public address, and TOCSIN_EGRESS_ALLOW does not name it.` : null
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
  let carriers: Promise<Carriers> | Carriers | null = substitute ?? null
  let closed = false
  // The HTTP client is loaded at the first call, or by `prepare`: a start needs none.
  const load = async (): Promise<Carriers> => {
    const { networkCarriers } = await import('./network/index.ts')
    carriers = networkCarriers(policy, settings)
    if (closed) await carriers.destroy()
    return carriers
  }
  const loaded = (): Promise<Carriers> | Carriers => (carriers ??= load())

  const dispatch = (ways: Carriers, request: OutboundRequest, exchange: Exchange | StreamExchange): void => {
    const { url, method, headers, body, sendBy } = request
    try {
      ways.of(request.route).dispatch({ origin: url.origin, path: url.pathname + url.search, method, headers, body, sendBy }, exchange)
    } catch (error) {
      exchange.stop('network', messageOf(error))
    }
  }

  const refusalOf = (request: OutboundRequest): Exclude<OutboundResult, { effect: 'done' }> | null => {
    const message = objectionTo(request, policy)
    return message === null ? null : { effect: 'refused', code: 'egress_refused', message }
  }

  const exchange = async (request: OutboundRequest, { freshUntil, left }: Checked, signal?: AbortSignal): Promise<Exchanged> => {
    const ways = await loaded()
    return new Promise((resolve) => {
      let cancel = (): void => {}
      const onAbort = (): void => one.stop('network', 'The call was abandoned.')
      const one = new Exchange(request, clock, freshUntil, (result) => {
        cancel()
        signal?.removeEventListener('abort', onAbort)
        resolve(result)
      })
      cancel = clock.after(left, () => one.stop('call_timeout', `No answer within ${durationText(request.timeout)}.`))
      if (signal?.aborted) return onAbort()
      signal?.addEventListener('abort', onAbort)
      dispatch(ways, request, one)
    })
  }

  return {
    objection: (request) => objectionTo(request, policy),
    call(request, signal) {
      const refusal = refusalOf(request)
      if (refusal) return Promise.resolve(refusal)
      return sendUnlessPaused(request, clock, signal, exchange)
    },
    async reach(request, signal) {
      if (objectionTo(request, policy) !== null) return
      const ways = await loaded()
      return openConnection(ways.of(request.route), request, clock, signal)
    },
    async open(request, signal) {
      const refusal = refusalOf(request)
      if (refusal) return refusal
      const ways = await loaded()
      return new Promise((resolve) => {
        const exchange = new StreamExchange(request, clock, resolve, () => signal.removeEventListener('abort', onAbort))
        const onAbort = (): void => exchange.stop('network', 'The call was abandoned.')
        if (signal.aborted) return onAbort()
        signal.addEventListener('abort', onAbort)
        dispatch(ways, request, exchange)
      })
    },
    async prepare() {
      await loaded()
    },
    async close() {
      closed = true
      await (await carriers)?.destroy()
    },
  }
}
