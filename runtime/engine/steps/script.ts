import type { Json } from '../../domain/index.ts'
import type { ErrorCode } from '../../errors/index.ts'
import type { ScriptStep } from '../../playbook/index.ts'
import { rendered, turnFor } from '../evaluate.ts'
import { failed } from '../failed.ts'
import { digestOf } from '../large-json.ts'
import { recall, type SkillOutcome, store } from '../outcome.ts'
import { comeAgain } from '../rest.ts'
import { StepFailed } from '../signals.ts'
import { checkAlive, type StepRunner, type Walk } from '../walk.ts'

/** Computes a value, once: a resumed run takes it from the journal. */
export const runScript: StepRunner<'script'> = async (walk, frame, step, address) => {
  const args = (await rendered(walk, step.with, frame.context)) ?? {}
  const digest = await digestOf(walk, [step.bundle.digest, args])
  const outcome = (await recall(walk, address, digest)) ?? (await computed(walk, step, { args, address, digest }))
  if (!outcome.ok) throw new StepFailed(outcome.failure)
  return outcome.output
}

/** @throws Sleeping where no slot was free for it: the run then asks again later */
async function computed(
  walk: Walk,
  step: ScriptStep,
  { args, address, digest }: { readonly args: Json; readonly address: string; readonly digest: string },
) {
  const began = walk.clock.now()
  return store(walk, { address, digest, began }, await compute(walk, step, args, address))
}

async function compute(walk: Walk, { bundle, timeout, checkOutput }: ScriptStep, args: Json, address: string): Promise<SkillOutcome> {
  const { run, plan, signal } = walk
  const end = await walk.scripts.run({ organization: run.organization, bundle, args, timeout, mostOutput: plan.limits.output, signal })
  const at = walk.clock.now()
  checkAlive(signal)
  const over = (code: ErrorCode, message: string): SkillOutcome => ({
    ok: false,
    effect: 'not_sent',
    failure: failed(code, message, address),
    at,
  })
  if (end.kind === 'busy') throw comeAgain(walk)
  if (end.kind === 'failed') return over(end.code, end.message)
  if (end.kind === 'stopped') return over('script_failed', 'It was stopped.')
  const turn = turnFor(walk)
  if (turn) await turn
  const fault = checkOutput(end.value)
  return fault === null ? { ok: true, output: end.value, at } : over('script_output_invalid', fault)
}
