import { defaultPolicy, type Millis, type Policy, type ProtectedRule, type Quota, type ServiceLevels, severities } from '../domain/index.ts'
import { parseDuration } from '../formats/index.ts'
import type { PolicyDocument } from './grammar.ts'

export type QuotasText = NonNullable<NonNullable<PolicyDocument['limits']>['quotas']>
export type QuotaText = NonNullable<QuotasText['high']>
export type RuleText = NonNullable<PolicyDocument['protected']>[number]

/** Turns a document that matches the grammar into a policy. What it leaves out comes from the default policy. */
export function policyOf({ approvals = {}, limits = {}, protected: rules = [], service_levels: levels = {} }: PolicyDocument): Policy {
  const { expires, ...said } = approvals
  const standing = defaultPolicy.limits
  const { high, write, skills = {} } = limits.quotas ?? {}
  return {
    approvals: { ...defaultPolicy.approvals, ...said, ...(expires !== undefined && { expires: parseDuration(expires) }) },
    limits: {
      impact: { ...standing.impact, ...limits.impact },
      quotas: {
        high: high === undefined ? standing.quotas.high : quotaFrom(high),
        write: write === undefined ? standing.quotas.write : quotaFrom(write),
        skills: Object.fromEntries(Object.entries(skills).map(([name, quota]) => [name, quotaFrom(quota)])),
      },
      spans: Object.fromEntries(Object.entries(limits.spans ?? {}).map(([name, span]) => [name, span === null ? null : parseDuration(span)])),
    },
    protected: rules.map(ruleFrom),
    serviceLevels: levelsFrom(levels),
  }
}

/** Times that the document does not set have their defaults. */
function levelsFrom(levels: NonNullable<PolicyDocument['service_levels']>): ServiceLevels {
  const time = (text: string | null | undefined, standing: Millis | null): Millis | null =>
    text === undefined ? standing : text === null ? null : parseDuration(text)
  const entries = severities.map((severity) => {
    const { respond, close } = defaultPolicy.serviceLevels[severity]
    const said = levels[severity]
    return [severity, { respond: time(said?.respond, respond), close: time(said?.close, close) }] as const
  })
  return Object.fromEntries(entries) as unknown as ServiceLevels
}

function quotaFrom(quota: QuotaText | null): Quota | null {
  return quota && { calls: quota.calls, per: parseDuration(quota.per) }
}

function ruleFrom({ names = [], match, skills, reason }: RuleText): ProtectedRule {
  const pattern = patternIn(match)
  return { names: [...names, ...(match !== undefined && pattern === null ? [match] : [])], pattern, skills: skills ?? null, reason }
}

/** Returns the pattern between the slashes. Null: the text is not a pattern. */
export function patternIn(match: string | undefined): string | null {
  return match !== undefined && match.length > 2 && match.startsWith('/') && match.endsWith('/') ? match.slice(1, -1) : null
}
