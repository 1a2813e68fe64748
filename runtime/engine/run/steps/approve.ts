import { hash } from 'node:crypto'
import { beginningOf, type Decision, type DecisionAction, type Json } from '../../../domain/index.ts'
import { renderCall } from '../../call/render-call.ts'
import { actionOf, decisionId, refusalOf, requestDecision } from '../../decisions/request-decision.ts'
import { failed } from '../../failure/failed.ts'
import { StepFailed } from '../../failure/signals.ts'
import { recalledOutcome, recordOutcome, type StepOutcome } from '../../journal/step-outcome.ts'
import type { Execution } from '../execution.ts'
import type { Frame } from '../flow/frame.ts'
import type { StepRunner } from '../step-runners.ts'
import { rendered } from '../values/evaluate.ts'
import { textOf } from '../values/large-json.ts'

const longestTitle = 500

/**
 * Asks for an approval. Output: who gave it. The calls that it covers are rendered now, and must render the
 * same when they are sent.
 */
export const runApprove: StepRunner<'approve'> = async (execution, frame, step, address) => {
  const actions: DecisionAction[] = []
  for (const covered of step.covered) actions.push(actionOf(await renderCall(execution, frame, covered, address)))
  const digest = hash('sha256', JSON.stringify(actions.map((action) => action.digest)), 'base64url')
  execution.approvals.set(decisionId(execution, address, 0), actions)
  let outcome = await recalledOutcome(execution, address, digest)
  if (!outcome) {
    const title = beginningOf(await textOf(execution, await rendered(execution, step.title, frame.context)), longestTitle)
    const { by, approvers, expires } = step
    const decision = await requestDecision(execution, address, decisionId(execution, address, 0), {
      kind: 'approval',
      title,
      actions,
      by,
      approvers,
      expires,
    })
    outcome = await recordOutcome(execution, { address, digest }, outcomeOf(execution, decision, address))
  }
  if (!outcome.ok) throw new StepFailed(outcome.failure)
  return outcome.output
}

function outcomeOf(execution: Execution, decision: Decision, address: string): StepOutcome {
  const at = execution.clock.now()
  const failure = refusalOf(decision, address)
  if (failure) return { ok: false, effect: 'not_sent', failure, at }
  const { answers, id, closedAt } = decision
  const output: Json = { approved: true, by: answers.map(({ by }) => by), reason: answers.at(-1)?.reason ?? null, at: closedAt, decision: id }
  return { ok: true, output, at }
}

/**
 * Checks that a call is the same as the one that was approved, if approvals cover its step.
 * @throws StepFailed `approval_missing`, `approval_stale`
 */
export function checkApproved(execution: Execution, frame: Frame, { step, digest, connection, address }: Parameters<typeof actionOf>[0]): void {
  if (step.approvals.length === 0) return
  const given = step.approvals.map(
    (id) => frame.steps[id] as { readonly status?: string; readonly output?: { readonly decision?: never } } | undefined,
  )
  const approved = given.find((left) => left?.status === 'done')
  if (!approved) {
    const names = step.approvals.join(', ')
    throw new StepFailed(failed('approval_missing', `${step.id} needs the approval of ${names}.`, address))
  }
  const action = execution.approvals.get(approved.output?.decision as never)?.find((one) => one.step === step.id)
  const same = action?.digest === digest && action.connection.id === connection.id && action.connection.revision === connection.revision
  if (!same) throw new StepFailed(failed('approval_stale', `The input or the connection of ${step.id} is not the approved one.`, address))
}
