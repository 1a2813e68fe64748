import { createHash } from 'node:crypto'
import type { Decision, DecisionAction, Json } from '../../domain/index.ts'
import { actionOf, askPeople, decisionId, refusalOf } from '../ask.ts'
import { rendered } from '../evaluate.ts'
import { failed } from '../failed.ts'
import type { Frame } from '../frame.ts'
import { recall, type SkillOutcome, store } from '../outcome.ts'
import { renderCall } from '../render-call.ts'
import { StepFailed } from '../signals.ts'
import type { StepRunner, Walk } from '../walk.ts'

const longestTitle = 500

/** Asks for an approval; output: who gave it. What it covers is rendered now, and must render the same when it is sent. */
export const runApprove: StepRunner<'approve'> = async (walk, frame, step, address) => {
  const actions: DecisionAction[] = []
  for (const covered of step.covered) actions.push(actionOf(await renderCall(walk, frame, covered, address)))
  const digest = createHash('sha256')
    .update(JSON.stringify(actions.map((action) => action.digest)))
    .digest('base64url')
  walk.approvals.set(decisionId(walk, address, 0), actions)
  let outcome = await recall(walk, address, digest)
  if (!outcome) {
    const title = String((await rendered(walk, step.title, frame.context)) ?? '').slice(0, longestTitle)
    const { by, approvers, expires } = step
    const decision = await askPeople(walk, address, decisionId(walk, address, 0), { kind: 'approval', title, actions, by, approvers, expires })
    outcome = await store(walk, { address, digest }, outcomeOf(walk, decision, address))
  }
  if (!outcome.ok) throw new StepFailed(outcome.failure)
  return outcome.output
}

function outcomeOf(walk: Walk, decision: Decision, address: string): SkillOutcome {
  const at = walk.clock.now()
  const failure = refusalOf(decision, address)
  if (failure) return { ok: false, effect: 'not_sent', failure, at }
  const { answers, id, closedAt } = decision
  const output: Json = { approved: true, by: answers.map(({ by }) => by), reason: answers.at(-1)?.reason ?? null, at: closedAt, decision: id }
  return { ok: true, output, at }
}

/** A step that approvals cover is sent only as one of them has it. @throws StepFailed `approval_missing`, `approval_stale` */
export function checkApproved(walk: Walk, frame: Frame, { step, digest, connection, address }: Parameters<typeof actionOf>[0]): void {
  if (step.approvals.length === 0) return
  const given = step.approvals.map(
    (id) => frame.steps[id] as { readonly status?: string; readonly output?: { readonly decision?: never } } | undefined,
  )
  const approved = given.find((left) => left?.status === 'done')
  if (!approved) {
    const names = step.approvals.join(', ')
    throw new StepFailed(failed('approval_missing', `${step.id} needs the approval of ${names}.`, address))
  }
  const action = walk.approvals.get(approved.output?.decision as never)?.find((one) => one.step === step.id)
  const same = action?.digest === digest && action.connection.id === connection.id && action.connection.revision === connection.revision
  if (!same) throw new StepFailed(failed('approval_stale', `${step.id} has another input than was approved.`, address))
}
