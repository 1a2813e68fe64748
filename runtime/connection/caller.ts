import { type Clock, type Connection, organizationScope } from '../domain/index.ts'
import type { Egress } from '../egress/index.ts'
import type { SkillCaller } from '../engine/index.ts'
import { type ErrorCode, registry } from '../errors/index.ts'
import { type CallResult, callSkill } from '../plugin/index.ts'
import { Fresh, type Store } from '../storage/index.ts'
import { RateLimiter } from './rate-limit.ts'
import { sendRequest } from './send.ts'
import type { Vault } from './vault.ts'

/** So long may a changed connection still be used as it was. */
const connectionAge = 1_000

function refused(code: ErrorCode, message: string): CallResult {
  return { ok: false, effect: 'not_sent', failure: { code, message, remedy: registry[code].remedy, retryAfter: null } }
}

/** Calls skills with the pinned connection: the very revision that the run began with, unexpired, at its rate, or not at all. */
export function createSkillCaller(store: Store, vault: Vault, egress: Egress, clock: Clock): SkillCaller {
  const connections = new Fresh<Connection | null>(clock, connectionAge, 10_000)
  const limiter = new RateLimiter(clock)

  return {
    async call({ organization, connection: pinned, plugin, skill, input, key, run, timeout, sendBy, signal }) {
      const scope = organizationScope(organization)
      const connection = await connections.get(`${organization} ${pinned.id}`, async () => {
        const [found] = await store.connections.byId(scope, [pinned.id])
        return found ?? null
      })
      if (!connection) return refused('connection_missing', `The connection ${pinned.instance} is gone.`)
      if (connection.revision !== pinned.revision)
        return refused('connection_changed', `The connection ${pinned.instance} was changed while the run used it; a retry uses it as it is now.`)
      if (connection.expiresAt !== null && connection.expiresAt <= clock.now())
        return refused('connection_expired', `The credentials of ${connection.instance} expired on ${new Date(connection.expiresAt).toISOString()}.`)
      return callSkill(plugin, skill, input, {
        key,
        fields: connection.fields,
        send: (request) =>
          limiter.send({ plugin, connection, lane: run ?? key, deadline: { timeout, sendBy, signal } }, (deadline) =>
            sendRequest(egress, vault, plugin, connection, request, deadline),
          ),
      })
    },
  }
}
