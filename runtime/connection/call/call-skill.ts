import { type Clock, type Connection, type Json, type Millis, type OrganizationId, timeText } from '../../domain/index.ts'
import type { PauseCheck } from '../../egress/index.ts'
import { type ErrorCode, registry } from '../../errors/index.ts'
import {
  type Acts,
  type CallHost,
  type CallResult,
  callSkill,
  type HandlerHost,
  type Plugin,
  passingActs,
  roleIncludes,
  type Skill,
} from '../../plugin/index.ts'
import type { Sending } from '../send/types.ts'
import { createSender } from '../send/way-out.ts'
import type { CallDeps } from './deps.ts'

export function notSent(code: ErrorCode, message: string): Extract<CallResult, { ok: false }> {
  return { ok: false, effect: 'not_sent', failure: { code, message, remedy: registry[code].remedy, retryAfter: null } }
}

/** Returns a failure if the credentials have expired, else null. */
export function expiryOf({ expiresAt, instance }: Connection, clock: Clock): Extract<CallResult, { ok: false }> | null {
  if (expiresAt === null || expiresAt > clock.now()) return null
  return notSent('connection_expired', `The credentials of ${instance} expired on ${timeText(expiresAt)}.`)
}

/**
 * Returns a failure if the credentials' role is too low for the skill. Null if it is high enough or
 * unknown. A role that a person entered takes precedence over the one that the last test found.
 */
export function roleFault(
  { role: said, lastTest, instance }: Connection,
  { id, manifest }: Plugin,
  skill: Skill,
): Extract<CallResult, { ok: false }> | null {
  const minimum = skill.document.minimum_role
  const role = said ?? lastTest?.role ?? null
  if (role === null || minimum === undefined || roleIncludes(manifest.document, role, minimum)) return null
  return notSent('role_too_low', `${id}.${skill.id} needs the role ${minimum}; the credentials of ${instance} have ${role}.`)
}

/** Returns the host of a call, which sends with a connection's credentials, at its rate limit. */
export function hostOf(deps: CallDeps, key: string, sending: Sending): CallHost & Pick<HandlerHost, 'stream'> {
  return { key, fields: sending.connection.fields, ...createSender(deps, sending) }
}

export interface ConnectionCall {
  /** The organization that makes the call. Null: a manual call with a shared connection. */
  readonly organization: OrganizationId | null
  readonly plugin: Plugin
  readonly skill: Skill
  readonly input: Json
  readonly key: string
  readonly lane: string
  /** The time-out of the whole call. */
  readonly timeout: Millis
  readonly sendBy: Millis | null
  /** Runs right before each write leaves. */
  readonly pauseCheck: PauseCheck
  readonly signal: AbortSignal
  /** Records what a handler does. Null: nothing is recorded. */
  readonly acts: Acts | null
  /** Set if each request is sent only once. People who call manually see what happens and can retry. */
  readonly once: boolean
}

/**
 * The longest wait before a retry inside a handler, which holds its slot meanwhile. For longer
 * waits the run sleeps in the store.
 */
const patience: Millis = 60_000

/** Calls a skill once. Sends nothing if the connection has expired or its role is too low. */
export async function callWithConnection(deps: CallDeps, connection: Connection, call: ConnectionCall): Promise<CallResult> {
  const { plugin, skill, input, key, lane, sendBy, pauseCheck, signal } = call
  const refused = expiryOf(connection, deps.clock) ?? roleFault(connection, plugin, skill)
  if (refused) return refused
  // A handler's time-out covers all of its requests. Each single request has the manifest's time-out.
  const { request } = plugin.manifest
  const single = skill.does.kind === 'request'
  const timeout = single ? call.timeout : Math.min(call.timeout, request.timeout)
  const writeTimeout = single ? call.timeout : Math.min(call.timeout, request.writeTimeout)
  const { clock, isolates, logger, meter } = deps
  const began = clock.now()
  const answers = deps.answers.forCall(call.organization ?? connection.id)
  const result = await callSkill(plugin, skill, input, {
    ...hostOf(deps, key, {
      plugin,
      connection,
      organization: call.organization,
      lane,
      deadline: { timeout, sendBy, signal },
      writeTimeout,
      pauseCheck,
      answers,
    }),
    heard: (outcome) => {
      // An abandoned call says nothing about the external system.
      if (outcome === null) deps.calls.failures.answered(connection)
      else if (!signal.aborted) deps.calls.failures.failed(connection, { ...outcome, skill: `${plugin.id}.${skill.id}` })
    },
    isolates,
    owner: call.organization ?? '',
    turns: answers.turns,
    clock,
    signal,
    timeout: call.timeout,
    patience: call.once ? null : patience,
    acts: call.acts ?? passingActs(clock, writeTimeout),
    log: (level, message, fields) => logger[level]({ skill: `${plugin.id}.${skill.id}`, connection: connection.instance, lane, fields }, message),
  }).finally(() => answers.leave())
  meter?.called(plugin.id, result.ok ? 'ok' : result.effect, clock.now() - began)
  if (result.ok && result.warnings) deps.calls.odd(connection, plugin, skill, result.warnings)
  return result
}
