import type { Clock, Connection, Json, Millis } from '../domain/index.ts'
import type { Egress } from '../egress/index.ts'
import { type ErrorCode, registry } from '../errors/index.ts'
import { type CallHost, type CallResult, callSkill, type Plugin, roleIncludes, type Skill } from '../plugin/index.ts'
import type { RateLimiter } from './rate-limit.ts'
import { type Deadline, sendRequest } from './send.ts'
import type { Vault } from './vault.ts'

/** What calls with a connection need of the process. */
export interface Means {
  readonly vault: Vault
  readonly egress: Egress
  readonly clock: Clock
  /** One for the process: calls of runs and by hand share a connection's rate. */
  readonly limiter: RateLimiter
}

export function notSent(code: ErrorCode, message: string): Extract<CallResult, { ok: false }> {
  return { ok: false, effect: 'not_sent', failure: { code, message, remedy: registry[code].remedy, retryAfter: null } }
}

/** Why the credentials may not be used any more; null when they may. */
export function expiryOf({ expiresAt, instance }: Connection, clock: Clock): Extract<CallResult, { ok: false }> | null {
  if (expiresAt === null || expiresAt > clock.now()) return null
  return notSent('connection_expired', `The credentials of ${instance} expired on ${new Date(expiresAt).toISOString()}.`)
}

function roleFault({ role, instance }: Connection, { id, manifest }: Plugin, skill: Skill): Extract<CallResult, { ok: false }> | null {
  const minimum = skill.document.minimum_role
  if (role === null || minimum === undefined || roleIncludes(manifest.document, role, minimum)) return null
  return notSent('role_too_low', `${id}.${skill.id} needs the role ${minimum}; the credentials of ${instance} have ${role}.`)
}

/** Sends with a connection's credentials, at its rate. @param lane whose requests take turns with those of others: a run, or one call by hand */
export function hostOf(
  { vault, egress, clock, limiter }: Means,
  plugin: Plugin,
  connection: Connection,
  key: string,
  lane: string,
  deadline: Deadline,
): CallHost {
  return {
    key,
    fields: connection.fields,
    send: (request) =>
      limiter.send({ plugin, connection, lane, deadline }, (left) =>
        sendRequest(egress, vault, plugin, connection, request, { ...left, now: clock.now() }),
      ),
  }
}

export interface ConnectedCall {
  readonly plugin: Plugin
  readonly skill: Skill
  readonly input: Json
  readonly key: string
  readonly lane: string
  readonly timeout: Millis
  readonly sendBy: Millis | null
  readonly signal: AbortSignal
}

/** Calls a skill once with a connection as it stands: unexpired, with a role that is enough, or not at all. */
export async function callConnected(
  means: Means,
  connection: Connection,
  { plugin, skill, input, key, lane, ...deadline }: ConnectedCall,
): Promise<CallResult> {
  const refused = expiryOf(connection, means.clock) ?? roleFault(connection, plugin, skill)
  return refused ?? callSkill(plugin, skill, input, hostOf(means, plugin, connection, key, lane, deadline))
}
