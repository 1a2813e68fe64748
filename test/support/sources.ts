import { randomBytes } from 'node:crypto'
import { Pool } from 'undici'

export interface Acknowledged {
  readonly alertId: string
  readonly uuid: string
  readonly sequence: number
}

/**
 * Many alert sources at once. Each posts its next alert after the answer to the last one. Without an answer, it sends the same alert again with
 * the same idempotency key.
 */
export interface Sources {
  /** The acknowledged alerts of each source, in order. */
  readonly acknowledged: readonly (readonly Acknowledged[])[]
  /** Stops all sources. Waits for their last answers. */
  stop(): Promise<void>
}

/** Starts the sources. @param enough returns true while enough alerts are in progress; sources then wait */
export function startSources(
  count: number,
  address: () => string,
  key: string,
  body: (source: number, index: number) => object,
  enough: () => boolean = () => false,
): Sources {
  const acknowledged: Acknowledged[][] = Array.from({ length: count }, () => [])
  // Another call for the same installation uses other idempotency keys.
  const flood = randomBytes(4).toString('hex')
  let stopped = false
  const pools = new Map<string, Pool>()
  const poolAt = (url: string): Pool => {
    const pool = pools.get(url) ?? new Pool(url, { connections: count, pipelining: 1 })
    pools.set(url, pool)
    return pool
  }
  const post = async (source: number, index: number): Promise<boolean> => {
    try {
      const answer = await poolAt(address()).request({
        method: 'POST',
        path: '/platformapi/alerts',
        headers: { cookie: `Session=${key}`, 'content-type': 'application/json', 'idempotency-key': `${flood}-${source}-${index}` },
        body: JSON.stringify(body(source, index)),
      })
      const alert = (await answer.body.json()) as { alert_id: string; alert_uuid: string }
      if (answer.statusCode !== 200) return false
      acknowledged[source]?.push({ alertId: alert.alert_id, uuid: alert.alert_uuid, sequence: Number(alert.alert_id.split('-').at(-1)) })
      return true
    } catch {
      return false
    }
  }
  const run = async (source: number): Promise<void> => {
    for (let index = 0; !stopped; ) {
      if (!enough() && (await post(source, index))) index += 1
      else await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  const all = Promise.all(Array.from({ length: count }, (_, source) => run(source)))
  return {
    acknowledged,
    async stop() {
      stopped = true
      await all
      await Promise.all([...pools.values()].map((pool) => pool.destroy()))
    },
  }
}
