import { policyAsks } from '../../domain/index.ts'
import type { PreparedCall } from '../call/prepared-call.ts'
import { actionOf, decisionId, refusalOf, requestDecision } from '../decisions/request-decision.ts'
import type { StepOutcome } from '../journal/step-outcome.ts'
import type { GuardContext } from '../run/contexts.ts'
import { shownTarget } from '../write/resolve-unknown-write.ts'

const longestTitle = 500

/**
 * Asks people before a call if the organization's policy says so and no `approve` step covers it. Asks once for
 * each call, about exactly what would be sent.
 * @returns null if it may be sent; else the outcome of the step
 * @throws Sleeping while the decision is open; RunFailed `impact_exceeded` if the budget has no room, instead
 * of asking
 */
export async function askByPolicy(execution: GuardContext, prepared: PreparedCall): Promise<StepOutcome | null> {
  const { policy } = execution
  const { address, step, skill, target } = prepared
  const { impact } = skill
  const name = `${step.integration}.${skill.id}`
  if (impact === 'read' || step.approvals.length > 0 || !policyAsks(policy, name, impact)) return null
  if (!execution.waits.asked(decisionId(execution, address, 0))) execution.afford(address, { impact, target })
  const { by, approvers, expires } = policy.approvals
  const title = `May ${name} be called${target === null ? '' : ` on ${shownTarget(target)}`}? The organization's policy requires approval.`.slice(
    0,
    longestTitle,
  )
  const decision = await requestDecision(execution, address, decisionId(execution, address, 0), {
    kind: 'approval',
    title,
    actions: [actionOf(prepared)],
    by,
    approvers,
    expires,
  })
  const failure = refusalOf(decision, address)
  return failure && { ok: false, effect: 'not_sent', failure, at: execution.clock.now() }
}
