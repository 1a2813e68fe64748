import type { Connection } from '../../domain/index.ts'
import type { Plugin, SendResult, StreamResult } from '../../plugin/index.ts'
import type { RateKey } from '../../rate-limit/index.ts'
import type { CallDeps } from '../call/deps.ts'
import { rateKeyOf } from '../rate/rate-key.ts'
import type { AccessToken } from '../tokens/index.ts'
import type { Deadline } from './deadline.ts'
import { derivedOrigins, ownOrigins } from './origins.ts'
import type { NotDone, Sending } from './types.ts'

/**
 * Stage: rate limit. Sends a request once it has its permit. Opens a connection to the system while
 * it waits, so that the request can leave at once.
 * @param deadline what is left of the request's time
 */
export function withPermit<Result extends SendResult | StreamResult>(
  { limiter, vault, egress, route }: Pick<CallDeps, 'limiter' | 'vault' | 'egress' | 'route'>,
  { plugin, connection, organization, lane }: Sending,
  token: AccessToken | null,
  deadline: Deadline,
  next: (left: Deadline) => Promise<Result>,
): Promise<Result | NotDone> {
  const key = (): RateKey => rateKeyOf(vault, plugin, connection)
  const reach = ({ timeout, signal }: Deadline): Promise<void> => {
    const origins = likelyOrigins(plugin, connection, token?.members ?? {})
    return origins.length === 0
      ? Promise.resolve()
      : egress.reach({ url: new URL(origins[0] ?? ''), origins, route: route(connection), timeout }, signal)
  }
  return limiter.send({ plugin, connection, organization, key, lane, deadline, reach }, next)
}

/**
 * Guesses where a request will go, the most likely origin first. Empty if the origins cannot be
 * found. Signing the request then reports why.
 */
function likelyOrigins(plugin: Plugin, connection: Connection, members: AccessToken['members']): readonly string[] {
  try {
    const own = ownOrigins(plugin, connection)
    const derived = derivedOrigins(plugin, members, own, (text) => text)
    return derived.ok ? [...derived.origins, ...own] : []
  } catch {
    return []
  }
}
