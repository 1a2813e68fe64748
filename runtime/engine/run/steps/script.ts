import type { Json } from '../../../domain/index.ts'
import type { ErrorCode } from '../../../errors/index.ts'
import type { ScriptStep } from '../../../playbook/index.ts'
import { checkAlive } from '../../failure/check-alive.ts'
import { failed } from '../../failure/failed.ts'
import { StepFailed } from '../../failure/signals.ts'
import { recalledOutcome, recordOutcome, type StepOutcome } from '../../journal/step-outcome.ts'
import type { Execution } from '../execution.ts'
import type { StepRunner } from '../step-runners.ts'
import { rendered, turnFor } from '../values/evaluate.ts'
import { digestOf } from '../values/large-json.ts'
import { sleepUntilSlot } from '../wait-until.ts'

/** Runs a script once. A resumed run takes its result from the journal. */
export const runScript: StepRunner<'script'> = async (execution, frame, step, address) => {
  const args = (await rendered(execution, step.with, frame.context)) ?? {}
  const digest = await digestOf(execution, [step.bundle.digest, args])
  const outcome = (await recalledOutcome(execution, address, digest)) ?? (await computed(execution, step, { args, address, digest }))
  if (!outcome.ok) throw new StepFailed(outcome.failure)
  return outcome.output
}

/** @throws Sleeping if no slot was free. The run then tries again later */
async function computed(
  execution: Execution,
  step: ScriptStep,
  { args, address, digest }: { readonly args: Json; readonly address: string; readonly digest: string },
) {
  const began = execution.clock.now()
  return recordOutcome(execution, { address, digest, began }, await compute(execution, step, args, address))
}

async function compute(execution: Execution, { bundle, timeout, checkOutput }: ScriptStep, args: Json, address: string): Promise<StepOutcome> {
  const { run, plan, signal } = execution
  const end = await execution.scripts.run({ organization: run.organization, bundle, args, timeout, mostOutput: plan.limits.output, signal })
  await execution.replay.recorded?.scripted(address)
  const at = execution.clock.now()
  checkAlive(signal)
  const over = (code: ErrorCode, message: string): StepOutcome => ({
    ok: false,
    effect: 'not_sent',
    failure: failed(code, message, address),
    at,
  })
  if (end.kind === 'busy') throw sleepUntilSlot(execution)
  if (end.kind === 'failed') return over(end.code, end.message)
  if (end.kind === 'stopped') return over('script_failed', 'It was stopped.')
  const turn = turnFor(execution)
  if (turn) await turn
  const fault = checkOutput(end.value)
  return fault === null ? { ok: true, output: end.value, at } : over('script_output_invalid', fault)
}
