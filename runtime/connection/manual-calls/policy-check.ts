import { type Json, type Millis, type OrganizationId, quotaOf, spanOf, systemScope } from '../../domain/index.ts'
import { type CallResult, endFault, type Plugin, type Skill, targetsOf } from '../../plugin/index.ts'
import { type CurrentPolicies, protectionOf, quotaText } from '../../policy/index.ts'
import type { Store } from '../../storage/index.ts'
import { notSent } from '../call/call-skill.ts'

interface HandCall {
  /**
   * The organization of the connection. Null: the connection is shared, so its manual calls belong
   * to no organization.
   */
  readonly organization: OrganizationId | null
  readonly plugin: Plugin
  readonly skill: Skill
  readonly input: Json
  readonly key: string
  readonly now: Millis
}

/**
 * Applies the organization's policy to a manual write: it must not act on a protected entity, nor
 * set an end that has passed or is too far ahead, and it counts towards the quota. There is no run
 * that could wait for people, so a full quota refuses the call.
 * @returns null if the write may be sent
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
