import type { Json } from '../../../domain/index.ts'
import { timeOf } from '../../../expressions/index.ts'
import { durationText } from '../../../formats/index.ts'
import type { Wait } from '../../../playbook/index.ts'
import { failed } from '../../failure/failed.ts'
import { StepFailed } from '../../failure/signals.ts'
import { decide, decided } from '../../journal/decide.ts'
import { overMark, untilMark } from '../../journal/replay.ts'
import type { Execution } from '../execution.ts'
import type { Frame } from '../flow/frame.ts'
import type { StepRunner } from '../step-runners.ts'
import { holds, rendered } from '../values/evaluate.ts'
import { waitUntil } from '../wait-until.ts'
import { callSkill } from './skill.ts'

/** Codes of failures of a poll that may be temporary. */
const passing: ReadonlySet<string> = new Set(['network', 'agent_offline', 'agent_busy', 'call_timeout', 'rate_limited', 'vendor_unavailable'])

export const runWait: StepRunner<'wait'> = async (execution, frame, { wait }, address) => {
  if (wait.kind === 'poll') return poll(execution, frame, wait, address)
  const until = await decided(execution, `${address}${untilMark}`, async () =>
    wait.kind === 'for' ? execution.clock.now() + wait.duration : timeIn(execution, wait, frame, address),
  )
  // Once the wait is over it stays over, even for a process whose clock is behind.
  if (execution.replay.decision(`${address}${overMark}`) === undefined) await waitUntil(execution, address, { until })
  decide(execution, `${address}${overMark}`, () => true)
  return null
}

async function timeIn(execution: Execution, { time }: Extract<Wait, { kind: 'until' }>, frame: Frame, address: string): Promise<number> {
  const value = await rendered(execution, time, frame.context)
  const at = timeOf(value)
  if (at === undefined)
    throw new StepFailed(
      failed('template_failed', `until is ${value === undefined ? 'missing' : JSON.stringify(value).slice(0, 100)}, which is not a time.`, address),
    )
  // The store keeps whole milliseconds.
  return Math.ceil(at)
}

/** Calls the skill until `until` is true. Every answer is in the journal, so a replay repeats no call. */
async function poll(
  execution: Execution,
  frame: Frame,
  { poll: step, every, until, atMost }: Extract<Wait, { kind: 'poll' }>,
  address: string,
): Promise<Json> {
  const end = decide(execution, `${address}${untilMark}`, () => execution.clock.now() + atMost)
  for (let number = 0; ; number += 1) {
    const outcome = await callSkill(execution, frame, step, `${address}/${number}`)
    execution.replay.markReplayed(`${address}/${number}`)
    if (!outcome.ok && !passing.has(outcome.failure.code)) throw new StepFailed({ ...outcome.failure, step: address })
    if (outcome.ok && (await holds(execution, until, { ...frame.context, output: outcome.output }))) return outcome.output
    if (outcome.at >= end) {
      const last = outcome.ok ? 'the last answer did not match `until`' : `the last call failed: ${outcome.failure.code}`
      throw new StepFailed(failed('wait_timed_out', `Called ${number + 1} times in ${durationText(atMost)}; ${last}.`, address))
    }
    const before = `${address}/${number + 1}`
    const recorded = execution.replay.recordedStep(before)
    if (recorded) frame.branchStop.check(recorded)
    if (execution.replay.outcome(before) === undefined) await waitUntil(execution, address, { until: Math.min(outcome.at + every, end), before })
  }
}
