import type { Alert } from '../../domain/index.ts'
import { readInputs } from '../../playbook/index.ts'
import type { RunOutcome } from '../end/run-outcome.ts'
import { failed } from '../failure/failed.ts'
import { RunFailed } from '../failure/signals.ts'
import type { Execution } from './execution.ts'
import { bodyStop } from './flow/body-stop.ts'
import { bodyFrame, type Frame } from './flow/frame.ts'
import { runPlaybookBody } from './flow/playbook-body.ts'
import { Variables } from './flow/variables.ts'
import { runSteps } from './run-steps.ts'
import { textOf } from './values/large-json.ts'
import { checkOutputSize } from './values/output-size.ts'
import { renderAtEnd } from './values/skipped-steps.ts'
import { runContext } from './values/template-context.ts'

/** Executes the plan to its end, or to a `stop`. @throws what fails or interrupts the run */
export async function executePlan(execution: Execution, alert: Alert): Promise<RunOutcome> {
  const vars = new Variables()
  const view = new Variables({ case_id: execution.run.caseId })
  const inputs = readInputs(execution.plan, alert.content, execution.work)
  execution.observer?.began?.({ vars: vars.values, caseView: view.values, inputs })
  const roots = runContext(alert, inputs, execution.plan, execution.run)
  const frame = bodyFrame('', roots, vars, view, bodyStop(execution, ''))
  const timedOut = execution.replay.recorded?.timedOut
  if (timedOut) frame.branchStop.foresee(new RunFailed(timedOut))
  const stopped = await runPlaybookBody(execution, frame, execution.plan.steps, runSteps)
  execution.cancel.check()
  await recordVerdict(execution, frame)
  if (stopped === null) return { state: 'completed', reason: null, failure: null }
  const { outcome, reason, message } = stopped
  return { state: outcome, reason, failure: outcome === 'failed' ? failed('run_stopped', message, null) : null }
}

async function recordVerdict(execution: Execution, { context, steps }: Frame): Promise<void> {
  const { plan, run, clock, record } = execution
  const summary = plan.verdict && (await renderAtEnd(execution, plan.verdict, context, steps))
  if (summary === undefined || summary === null) return
  const text = await textOf(execution, summary)
  checkOutputSize({ plan }, text, 'verdict')
  await record(
    { summary: text },
    { key: `${run.id}#verdict`, at: clock.now(), actor: { run: run.id, step: 'verdict' }, body: { kind: 'verdict', text } },
  )
}
