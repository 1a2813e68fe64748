import { rootCertificates } from 'node:tls'
import { Agent } from 'undici'
import type { Clock } from '../domain/index.ts'
import { messageOf } from '../errors/index.ts'
import { createConnector } from './connector.ts'
import { Exchange } from './exchange.ts'
import { createPolicy } from './policy.ts'
import type { Egress, OutboundResult } from './types.ts'

export type * from './types.ts'

export interface EgressSettings {
  /** PEM certificates trusted beside the system's. */
  readonly ca: readonly string[]
  /** Entries of TOCSIN_EGRESS_ALLOW. */
  readonly allow: readonly string[]
}

const refused = (message: string): OutboundResult => ({ effect: 'refused', code: 'egress_refused', message })

/**
 * The one way out to external systems: HTTPS only, to the connection's own origins, to addresses that the policy allows, within
 * the deadline, with an answer of bounded size. Redirects are not followed; they come back as the answer they are.
 * @throws TocsinError `config_invalid` for an entry of `allow` that cannot be read
 */
export function createEgress({ ca, allow }: EgressSettings, clock: Clock): Egress {
  const agent = new Agent({
    connect: createConnector(createPolicy(allow), trusted(ca)),
    // One request on a connection at a time: with pipelining a lost connection would leave several writes in doubt.
    pipelining: 1,
    connections: 64,
    // Deadlines are ours, from the call's beginning to its end.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 4_000,
  })

  return {
    call(request, signal) {
      const { url, method, headers, body, origins, timeout } = request
      if (url.protocol !== 'https:') return Promise.resolve(refused(`${url.origin} is not HTTPS.`))
      if (url.username || url.password) return Promise.resolve(refused('An address must not carry a user name or password.'))
      if (!origins.includes(url.origin)) return Promise.resolve(refused(`${url.origin} is not one of the connection's origins.`))
      return new Promise((resolve) => {
        let cancel = (): void => {}
        const onAbort = (): void => exchange.stop('network', 'The call was given up.')
        const exchange = new Exchange(request, clock, (result) => {
          cancel()
          signal?.removeEventListener('abort', onAbort)
          resolve(result)
        })
        cancel = clock.after(timeout, () => exchange.stop('call_timeout', `No answer within ${timeout} ms.`))
        if (signal?.aborted) return onAbort()
        signal?.addEventListener('abort', onAbort)
        try {
          agent.dispatch({ origin: url.origin, path: url.pathname + url.search, method, headers, body }, exchange)
        } catch (error) {
          exchange.stop('network', messageOf(error))
        }
      })
    },
    close: () => agent.destroy(),
  }
}

/** Node replaces the system's certificates by `ca`; so the system's are given too. */
function trusted(ca: readonly string[]): readonly string[] | null {
  return ca.length > 0 ? [...rootCertificates, ...ca] : null
}
