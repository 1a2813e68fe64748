import type { Json } from '../../domain/index.ts'
import { compileCondition } from '../../expressions/index.ts'
import type { Locator } from '../../yaml/index.ts'
import { failureOf, holds } from '../answer/failures.ts'
import type { SkillAnswer } from '../answer/skill-answer.ts'
import type { SkillDocument } from '../grammar/index.ts'
import { credentialNames } from '../manifest/compile-manifest.ts'
import { compileSkill, filtersOf } from '../manifest/compile-skill.ts'
import { FaultPlaces } from '../manifest/fault-places.ts'
import { rolesOf } from '../manifest/roles.ts'
import type { Plugin, Skill } from '../types.ts'
import { valueAt } from '../values.ts'
import { callRequest } from './call.ts'
import type { CallHost } from './call-host.ts'
import type { CallResult } from './call-result.ts'

/**
 * A request of the manifest that belongs to no skill. `test` proves the credentials, `reachability`
 * shows that the system is there, and `role_from` finds the credentials' role.
 */
export type ProbeName = 'test' | 'reachability' | 'role_from'

/** A stored manifest has no lines. Its faults were reported before it was stored. */
const noFile: Locator = {
  locate: () => ({ file: 'artifact', line: 1, column: 1 }),
  locateInside: () => ({ file: 'artifact', line: 1, column: 1 }),
}

/**
 * Returns the warning of a successful test: the first of the manifest's `warn` rows that matches
 * the answer's body.
 */
export function warningOf({ manifest }: Plugin, body: Json): { readonly code: string; readonly cause: string; readonly remedy: string } | null {
  return manifest.document.test.warn?.find(({ when }) => holds(compileCondition(when), { body })) ?? null
}

/**
 * Sends one of the manifest's own requests. The answer of `test` is judged like a skill's, except
 * that error codes in `accept` count as success. For `reachability` only the status counts, because
 * what answers there may not be the API.
 * @returns null if the manifest has no such request. The output is the answer's body, or for
 * `reachability` its status
 */
export async function callProbe(plugin: Plugin, name: ProbeName, host: CallHost): Promise<CallResult | null> {
  const probe = plugin.manifest.document[name]
  if (probe === undefined) return null
  const { auth, ...request } = { auth: undefined, ...probe.request }
  const document: SkillDocument = {
    format: 1,
    id: `connection_${name}`,
    title: name,
    purpose: name,
    category: 'investigation',
    impact: 'read',
    input: { type: 'object' },
    output: { type: 'object' },
    request: {
      ...request,
      ...('expect' in probe && probe.expect && { expect: probe.expect }),
      ...(name === 'reachability' && { result: '{{ status }}' }),
    },
  }
  const skill = compileSkill(
    document,
    plugin.manifest.document,
    filtersOf(plugin.manifest.document),
    new FaultPlaces(noFile, credentialNames(plugin.manifest.document).secret),
  )
  if (skill?.does.kind !== 'request') throw new Error(`the ${name} request of ${plugin.id} did not compile`)
  const { plan } = skill.does
  const whole: Skill = { ...skill, judgeOutput: (output) => ({ output, broken: null, odd: [] }) }
  if (name === 'reachability') return callRequest(withoutRows(plugin), whole, plan, {}, { ...host, send: statusOnly(host, auth === 'none') })

  if (name === 'role_from') return callRequest(plugin, whole, plan, {}, host)
  let answer: SkillAnswer | null = null
  const send: CallHost['send'] = async (one) => {
    const result = await host.send(one)
    if (result.effect === 'done') answer = result.answer
    return result
  }
  const result = await callRequest(plugin, whole, plan, {}, { ...host, send })
  if (result.ok || answer === null) return result
  if (plugin.manifest.document.test.accept?.includes(result.failure.code)) return { ok: true, output: bodyOf(answer) }
  return asEndpoint(plugin, result, answer)
}

/**
 * The role that the external system reports for the credentials. `why` says why the role is unknown
 * although the manifest asks for it.
 */
export interface FoundRole {
  readonly role: string | null
  readonly why: string | null
}

/** Asks the system for the role of a connection's credentials, as the manifest's `role_from` says. It never fails: without a role, it says why. */
export async function callRoleFrom(plugin: Plugin, host: CallHost): Promise<FoundRole> {
  const { document } = plugin.manifest
  const result = await callProbe(plugin, 'role_from', host)
  const { role_from: from } = document
  if (result === null || from === undefined) return { role: null, why: null }
  const unknown = (why: string): FoundRole => ({ role: null, why })
  if (!result.ok) return unknown(`The system could not be asked: ${result.failure.message}`)
  const role = valueAt(result.output, from.select)
  if (typeof role !== 'string') return unknown(`The answer has no role at \`${from.select}\`.`)
  const known = rolesOf(document)
  if (known.includes(role)) return { role, why: null }
  return unknown(`The answer names the role ${JSON.stringify(role.slice(0, longestRole))}. The integration knows only ${known.join(', ')}.`)
}

const longestRole = 100

function bodyOf({ body }: SkillAnswer): Json {
  return body
}

/**
 * Turns `not_found` of a test into a missing endpoint, because a test asks for no record. The
 * manifest may have an error row for that.
 */
function asEndpoint({ manifest }: Plugin, result: Extract<CallResult, { ok: false }>, answer: SkillAnswer): CallResult {
  const row = manifest.errors.find(({ code }) => code === 'endpoint_not_found')
  return result.failure.code === 'not_found' && row ? { ...result, failure: failureOf(row, answer) } : result
}

function withoutRows(plugin: Plugin): Plugin {
  return { ...plugin, manifest: { ...plugin.manifest, errors: [] } }
}

function statusOnly(host: CallHost, anonymous: boolean): CallHost['send'] {
  return async (request) => {
    const result = await host.send(anonymous ? { ...request, auth: 'none' } : request)
    return result.effect === 'done' ? { ...result, answer: { ...result.answer, body: null } } : result
  }
}
