import type { Alert, Json } from '../domain/index.ts'
import { readInputs } from '../playbook/index.ts'
import { runBody } from './body.ts'
import { failed } from './failed.ts'
import { bodyFrame, type Frame } from './frame.ts'
import { renderAtEnd } from './left-out.ts'
import { checkSize } from './output-size.ts'
import { runRoots } from './roots.ts'
import { runSteps } from './run-steps.ts'
import { Variables } from './variables.ts'
import type { Outcome, Walk } from './walk.ts'

/** Walks the plan to its end, or to a `stop`. What fails the run, or gives it up, is thrown. */
export async function walkPlan(walk: Walk, alert: Alert): Promise<Outcome> {
  const vars = new Variables()
  const view = new Variables({ case_id: walk.run.caseId })
  const inputs = readInputs(walk.plan, alert.content, walk.work)
  walk.observer?.began?.({ vars: vars.values, caseView: view.values, inputs })
  const roots = runRoots(alert, inputs, walk.plan, walk.run)
  const frame = bodyFrame('', roots, vars, view, () => walk.recorded.ahead(''))
  const stopped = await runBody(walk, frame, walk.plan.steps, runSteps)
  walk.cancel.check()
  await giveVerdict(walk, frame)
  if (stopped === null) return { state: 'completed', reason: null, failure: null }
  const { outcome, reason, message } = stopped
  return { state: outcome, reason, failure: outcome === 'failed' ? failed('run_stopped', message, null) : null }
}

async function giveVerdict(walk: Walk, { context, steps }: Frame): Promise<void> {
  const { plan, run, clock, record } = walk
  const verdict = (plan.verdict && (await renderAtEnd(walk, plan.verdict, context, steps))) as { readonly summary?: Json } | string | null | undefined
  const summary = typeof verdict === 'object' ? verdict?.summary : verdict
  if (summary === undefined || summary === null) return
  const text = String(summary)
  checkSize({ plan }, text, 'verdict')
  await record(
    { summary: text },
    { key: `${run.id}#verdict`, at: clock.now(), actor: { run: run.id, step: 'verdict' }, body: { kind: 'verdict', text } },
  )
}
