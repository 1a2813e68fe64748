import { beginningOf, type Decision, quotaOf, systemScope } from '../../domain/index.ts'
import { quotaText } from '../../policy/index.ts'
import type { QuotaCounted } from '../../storage/index.ts'
import type { PreparedCall } from '../call/prepared-call.ts'
import { callKey } from '../call/send-call.ts'
import { actionOf, decisionId, refusalOf, requestDecision } from '../decisions/request-decision.ts'
import type { StepOutcome } from '../journal/step-outcome.ts'
import type { GuardContext } from '../run/contexts.ts'
import type { Frame } from '../run/flow/frame.ts'
import { shownTarget } from '../write/resolve-unknown-write.ts'

const longestTitle = 500

/** Journal address that records that a step's call was counted. */
function quotaAt(step: string): string {
  return `${step}#quota`
}

/**
 * Counts a call in the quota of its skill, by the organization's current policy. If the quota is used up,
 * asks people, even if they have approved the call: a person who approves one call does not see the total.
 * All tries of a call count as one. If the run slept before it could send the call, because of a pause for
 * example, the call counts from now on, like any that is sent now. If others have taken its place, people are
 * asked.
 * @returns null if it may be sent; else the outcome of the step
 * @throws Sleeping while the decision is open; RunFailed `impact_exceeded` if the budget has no room, before
 * anything is counted
 */
export async function countInQuota(execution: GuardContext, frame: Frame, prepared: PreparedCall): Promise<StepOutcome | null> {
  const { address, skill, target } = prepared
  const { impact } = skill
  const at = quotaAt(address)
  if (impact === 'read' || execution.writes.reached(address)) return null
  const { replay } = execution
  const before = replay.decision(at) !== undefined
  // A rehearsal keeps to what the recorded run counted.
  if (before && replay.recorded) return null
  execution.afford(address, { impact, target })
  const name = `${prepared.step.integration}.${skill.id}`
  const { limits, approvals } = await execution.currentPolicy()
  const quota = quotaOf(limits.quotas, name, impact)
  const asked = await wasAsked(execution, at)
  if (quota === null && !asked) return null
  const count = (anyway: boolean): Promise<QuotaCounted> | null =>
    quota &&
    execution.store.quotas.count(systemScope, {
      organization: execution.run.organization,
      skill: name,
      key: callKey(execution, address),
      quota,
      anyway,
    })
  const counted = asked ? null : await count(false)
  if (!counted?.counted) {
    const { by, approvers, expires } = approvals
    const title = titleOf(prepared, quota && counted && quotaText(quota, counted), await approvedBy(execution, frame, prepared))
    const question = { kind: 'quota', title, actions: [actionOf(prepared)], by, approvers, expires } as const
    const failure = refusalOf(await requestDecision(execution, address, decisionId(execution, at, 0), question), address)
    if (failure) return { ok: false, effect: 'not_sent', failure, at: execution.clock.now() }
    await count(true)
  }
  if (!before) execution.journal.defer({ kind: 'decided', address: at, value: true })
  return null
}

/**
 * Returns whether people were asked already. Then their answer decides, even if the quota has room by now. An
 * earlier execution may have died before its journal said that it asked.
 */
async function wasAsked(execution: GuardContext, at: string): Promise<boolean> {
  const id = decisionId(execution, at, 0)
  return execution.waits.asked(id) || (execution.run.epoch > 1 && (await execution.store.decisions.get(systemScope, id)) !== null)
}

function titleOf({ step, skill, target }: PreparedCall, full: string | null, before: readonly string[]): string {
  const what = `May ${step.integration}.${skill.id} be called${target === null ? '' : ` on ${shownTarget(target)}`} over its quota?`
  const why = `The organization's quota ${full ?? 'is full'}.`
  const who = before.length === 0 ? '' : ` The call itself was approved by ${before.join(', ')}.`
  return beginningOf(`${what} ${why}${who}`, longestTitle)
}

/** Returns who approved the call: at an `approve` step, or because the organization's policy asked. */
async function approvedBy(execution: GuardContext, frame: Frame, { step, address }: PreparedCall): Promise<readonly string[]> {
  for (const id of step.approvals) {
    const left = frame.steps[id] as { readonly status?: string; readonly output?: { readonly by?: readonly string[] } } | undefined
    if (left?.status === 'done') return left.output?.by ?? []
  }
  const id = decisionId(execution, address, 0)
  const asked: Decision | null = execution.waits.asked(id) ? await execution.store.decisions.get(systemScope, id) : null
  return asked?.state === 'approved' ? asked.answers.map(({ by }) => by) : []
}
