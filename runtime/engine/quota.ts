import { type Decision, quotaOf, systemScope } from '../domain/index.ts'
import { quotaText } from '../policy/index.ts'
import type { QuotaCounted } from '../storage/index.ts'
import { actionOf, askPeople, decisionId, refusalOf } from './ask.ts'
import { callKey } from './call.ts'
import { shownTarget } from './doubt.ts'
import type { Frame } from './frame.ts'
import type { SkillOutcome } from './outcome.ts'
import type { Prepared } from './prepared.ts'
import type { Walk } from './walk.ts'

const longestTitle = 500

/** Where the journal has that a step's call was counted. */
export function quotaAt(step: string): string {
  return `${step}#quota`
}

/**
 * Counts a call in the quota of its skill, by the organization's current policy. If the quota is full, people are asked, even if they have approved
 * the call: a person who approves one call does not see how many there are in total.
 * @returns null when it may be sent; else that it was not
 * @throws Sleeping while people are asked; RunFailed `impact_exceeded` rather than counting what the budget has no room for
 */
export async function keepToQuota(walk: Walk, frame: Frame, prepared: Prepared): Promise<SkillOutcome | null> {
  const { address, skill, target } = prepared
  const { impact } = skill
  const at = quotaAt(address)
  // It was counted before it was sent, and is one call however often it is tried.
  if (impact === 'read' || walk.recorded.decision(at) !== undefined || walk.writes.reached(address)) return null
  walk.afford(address, { impact, target })
  const name = `${prepared.step.integration}.${skill.id}`
  const { limits, approvals } = await walk.standing()
  const quota = quotaOf(limits.quotas, name, impact)
  const asked = await wasAsked(walk, at)
  if (quota === null && !asked) return null
  const count = (anyway: boolean): Promise<QuotaCounted> | null =>
    quota && walk.store.quotas.count(systemScope, { organization: walk.run.organization, skill: name, key: callKey(walk, address), quota, anyway })
  const counted = asked ? null : await count(false)
  if (!counted?.counted) {
    const { by, approvers, expires } = approvals
    const title = titleOf(prepared, quota && counted && quotaText(quota, counted), await approvedBy(walk, frame, prepared))
    const question = { kind: 'quota', title, actions: [actionOf(prepared)], by, approvers, expires } as const
    const failure = refusalOf(await askPeople(walk, address, decisionId(walk, at, 0), question), address)
    if (failure) return { ok: false, effect: 'not_sent', failure, at: walk.clock.now() }
    await count(true)
  }
  walk.journal.ride({ kind: 'decided', address: at, value: true })
  return null
}

/** Whether people were asked already: then they answer it, whatever room there is by now. A life may have died before its journal said so. */
async function wasAsked(walk: Walk, at: string): Promise<boolean> {
  const id = decisionId(walk, at, 0)
  return walk.waits.asked(id) || (walk.run.epoch > 1 && (await walk.store.decisions.get(systemScope, id)) !== null)
}

function titleOf({ step, skill, target }: Prepared, full: string | null, before: readonly string[]): string {
  const what = `May ${step.integration}.${skill.id} be called${target === null ? '' : ` on ${shownTarget(target)}`} all the same?`
  const why = `The organization's quota ${full ?? 'is full'}.`
  const who = before.length === 0 ? '' : ` The call itself was approved by ${before.join(', ')}.`
  return `${what} ${why}${who}`.slice(0, longestTitle)
}

/** Who has approved the call before: at an `approve` step, or where the organization's policy asked. */
async function approvedBy(walk: Walk, frame: Frame, { step, address }: Prepared): Promise<readonly string[]> {
  for (const id of step.approvals) {
    const left = frame.steps[id] as { readonly status?: string; readonly output?: { readonly by?: readonly string[] } } | undefined
    if (left?.status === 'done') return left.output?.by ?? []
  }
  const id = decisionId(walk, address, 0)
  const asked: Decision | null = walk.waits.asked(id) ? await walk.store.decisions.get(systemScope, id) : null
  return asked?.state === 'approved' ? asked.answers.map(({ by }) => by) : []
}
