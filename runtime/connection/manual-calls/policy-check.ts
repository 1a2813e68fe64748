import { type Json, type Millis, type OrganizationId, quotaOf, spanOf, systemScope } from '../../domain/index.ts'
import { type CallResult, endFault, type Plugin, type Skill, targetsOf } from '../../plugin/index.ts'
import { type CurrentPolicies, protectionOf, quotaText } from '../../policy/index.ts'
import type { Store } from '../../storage/index.ts'
import { notSent } from '../call/call-skill.ts'

interface HandCall {
  /** Whose connection; null: a shared one, whose calls by hand are of no organization. */
  readonly organization: OrganizationId | null
  readonly plugin: Plugin
  readonly skill: Skill
  readonly input: Json
  readonly key: string
  readonly now: Millis
}

/**
 * Applies the organization's policy to a write by hand: it must not touch a protected entity, nor set an end that is past or too far ahead, and it
 * counts in its quota. No run could wait for people here, so a full quota refuses the call.
 * @returns null if it may be sent
 */
export async function refusedByPolicy(
  store: Pick<Store, 'quotas'>,
  policies: CurrentPolicies,
  { organization, plugin, skill, input, key, now }: HandCall,
): Promise<Extract<CallResult, { ok: false }> | null> {
  const policy = await policies.get(organization)
  const name = `${plugin.id}.${skill.id}`
  const found = protectionOf(policy, name, targetsOf(skill, input))
  if (found) return notSent('entity_protected', `${found.target} is protected from ${name}: ${found.reason}`)
  const fault = endFault(skill.ends, input, now, spanOf(policy, name))
  if (fault) return notSent(fault.code, `${name}: ${fault.message}`)
  const quota = quotaOf(policy.limits.quotas, name, skill.impact)
  if (quota === null) return null
  const counted = await store.quotas.count(systemScope, { organization, skill: name, key, quota, anyway: false })
  return counted.counted ? null : notSent('quota_full', `The quota of ${name} ${quotaText(quota, counted)}.`)
}
