import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { systemIds } from '../../runtime/config/seams.ts'
import type { CallDeps } from '../../runtime/connection/call/deps.ts'
import { AccessTokens, Answers, CallLog, Detections } from '../../runtime/connection/index.ts'
import { RateLimiter } from '../../runtime/connection/rate/rate-limit.ts'
import { createVault, type Vault } from '../../runtime/connection/vault/vault.ts'
import { asId, type Clock, type Connection, type ConnectionId } from '../../runtime/domain/index.ts'
import type { Egress, OutboundRequest, OutboundResult, OutboundStream } from '../../runtime/egress/index.ts'
import { noTurns } from '../../runtime/fairness/index.ts'
import { createIsolates, loadPluginFolder } from '../../runtime/plugin/index.ts'
import { LocalPermitSource } from '../../runtime/rate-limit/index.ts'
import type { Store } from '../../runtime/storage/index.ts'
import { createLogger } from '../../runtime/telemetry/index.ts'
import { connectionOf } from './connection.ts'
import type { TokenSystem } from './token-system.ts'

/** The plugin of a system with access tokens. Its folder is beside this file. */
export const records = await loadPluginFolder(fileURLToPath(new URL('plugins/records', import.meta.url)))

export const vault: Vault = createVault(hash('sha256', 'tests', 'buffer'))

export function recordsConnection(system: TokenSystem, url: string, revision = 1): Connection {
  const id = asId<ConnectionId>('0197a000-0000-7000-8000-00000000cccc')
  return connectionOf({
    id,
    integration: 'records',
    fields: { instance_url: url, client_id: system.clientId, api_version: '1' },
    secrets: { client_secret: vault.seal(id, 'client_secret', system.clientSecret) },
    revision,
  })
}

/** One process: its own memory, over the shared store. */
export function processOver(store: Pick<Store, 'tokens'>, egress: Egress, clock: Clock): CallDeps {
  return {
    vault,
    egress,
    route: () => null,
    clock,
    limiter: new RateLimiter(clock, new LocalPermitSource(clock)),
    tokens: new AccessTokens(store.tokens, vault, clock, systemIds),
    detections: new Detections(clock),
    answers: new Answers(noTurns),
    isolates: createIsolates({ calls: 1, processes: 1 }, clock),
    logger: createLogger({ level: 'silent' }),
    calls: new CallLog(createLogger({ level: 'silent' }), clock),
  }
}

/** Sends requests directly to the system. Requests for which `hold` returns true wait until `release`. */
export function egressTo(system: TokenSystem): Egress & {
  readonly sent: OutboundRequest[]
  /** Decides which requests wait for `release`. Null: none. */
  hold: ((request: OutboundRequest) => boolean) | null
  release(): void
} {
  const sent: OutboundRequest[] = []
  let waiting: (() => void)[] = []
  const way = {
    sent,
    hold: null as ((request: OutboundRequest) => boolean) | null,
    release() {
      way.hold = null
      for (const go of waiting.splice(0)) go()
      waiting = []
    },
    async call(request: OutboundRequest): Promise<OutboundResult> {
      if (!request.origins.includes(request.url.origin))
        return { effect: 'refused', code: 'egress_refused', message: `${request.url.origin} is none of ours` }
      sent.push(request)
      if (way.hold?.(request)) await new Promise<void>((go) => waiting.push(go))
      const { method, url, headers, body } = request
      const reply = system.answer({ method, path: url.pathname, query: url.search.slice(1), headers, body: body ?? '' })
      return {
        effect: 'done',
        answer: { status: reply.status, headers: { 'content-type': 'application/json', ...reply.headers }, body: Buffer.from(reply.body) },
      }
    },
    async open(request: OutboundRequest): Promise<OutboundStream> {
      const result = await way.call(request)
      if (result.effect !== 'done') return result
      const { body, ...head } = result.answer
      return { effect: 'done', answer: { ...head, body: Readable.from([body]), cancel: () => {} } }
    },
    objection: () => null,
    reach: async () => {},
    prepare: async () => {},
    close: async () => {},
  }
  return way
}
