import { type Json, type Millis, type OrganizationId, type Quota, type QuotaUse, quotaOf, spanOf, systemScope } from '../../domain/index.ts'
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
export async function refusedByPolicy(store: Pick<Store, 'quotas'>, policies: CurrentPolicies, call: HandCall): Promise<Refusal | null> {
  const { organization, plugin, skill, key } = call
  const policy = await policies.get(organization)
  const forbidden = forbiddenBy(policy, call)
  if (forbidden) return forbidden
  const name = `${plugin.id}.${skill.id}`
  const quota = quotaOf(policy.limits.quotas, name, skill.impact)
  if (quota === null) return null
  const counted = await store.quotas.count(systemScope, { organization, skill: name, key, quota, anyway: false })
  return counted.counted ? null : quotaFull(name, quota, counted)
}

/** What a policy says about a manual write that has not been made. */
interface PolicyView {
  readonly refused: Refusal | null
  /** Null: the skill has no quota. */
  readonly quota: { readonly calls: number; readonly per: Millis; readonly used: number } | null
}

/** Says what `refusedByPolicy` would answer now. Counts nothing. */
export async function policyView(store: Pick<Store, 'quotas'>, policies: CurrentPolicies, call: Omit<HandCall, 'key'>): Promise<PolicyView> {
  const { organization, plugin, skill } = call
  const policy = await policies.get(organization)
  const name = `${plugin.id}.${skill.id}`
  const quota = quotaOf(policy.limits.quotas, name, skill.impact)
  const [used] = quota === null ? [] : await store.quotas.usage(systemScope, organization, [{ skill: name, per: quota.per }])
  const full = quota !== null && used !== undefined && used.calls >= quota.calls ? quotaFull(name, quota, used) : null
  return { refused: forbiddenBy(policy, call) ?? full, quota: quota === null ? null : { ...quota, used: used?.calls ?? 0 } }
}

type Policy = Awaited<ReturnType<CurrentPolicies['get']>>
type Refusal = Extract<CallResult, { ok: false }>

function forbiddenBy(policy: Policy, { plugin, skill, input, now }: Omit<HandCall, 'key'>): Refusal | null {
  const name = `${plugin.id}.${skill.id}`
  const found = protectionOf(policy, name, targetsOf(skill, input))
  if (found) return notSent('entity_protected', `${found.target} is protected from ${name}: ${found.reason}`)
  const fault = endFault(skill.ends, input, now, spanOf(policy, name))
  return fault ? notSent(fault.code, `${name}: ${fault.message}`) : null
}

function quotaFull(name: string, quota: Quota, use: QuotaUse): Refusal {
  return notSent('quota_full', `The quota of ${name} ${quotaText(quota, use)}.`)
}
