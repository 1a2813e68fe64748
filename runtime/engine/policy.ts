import { policyAsks } from '../domain/index.ts'
import { actionOf, askPeople, decisionId, refusalOf } from './ask.ts'
import { shownTarget } from './doubt.ts'
import type { SkillOutcome } from './outcome.ts'
import type { Prepared } from './prepared.ts'
import type { Walk } from './walk.ts'

const longestTitle = 500

/**
 * Asks people before a call where the organization's policy says so and no `approve` step has: once a call, bound to what it would send.
 * @returns null when it may be sent; else that it was not
 * @throws Sleeping while it is open; RunFailed `impact_exceeded` rather than asking about what the budget has no room for
 */
export async function askByPolicy(walk: Walk, prepared: Prepared): Promise<SkillOutcome | null> {
  const { policy } = walk
  const { address, step, skill, target } = prepared
  const { impact } = skill
  const name = `${step.integration}.${skill.id}`
  if (policy === null || impact === 'read' || step.approvals.length > 0 || !policyAsks(policy, name, impact)) return null
  if (!walk.waits.asked(decisionId(walk, address, 0))) walk.afford(address, { impact, target })
  const { by, approvers, expires } = policy.approvals
  const title = `May ${name} be called${target === null ? '' : ` on ${shownTarget(target)}`}? The organization's policy asks.`.slice(0, longestTitle)
  const decision = await askPeople(walk, address, decisionId(walk, address, 0), {
    kind: 'approval',
    title,
    actions: [actionOf(prepared)],
    by,
    approvers,
    expires,
  })
  const failure = refusalOf(decision, address)
  return failure && { ok: false, effect: 'not_sent', failure, at: walk.clock.now() }
}
