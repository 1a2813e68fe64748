import type { Json } from '../../domain/index.ts'
import { timeOf } from '../../expressions/index.ts'
import type { Wait } from '../../playbook/index.ts'
import { holds, rendered } from '../evaluate.ts'
import { failed } from '../failed.ts'
import type { Frame } from '../frame.ts'
import { restUntil } from '../rest.ts'
import { StepFailed } from '../signals.ts'
import { decide, decided, type StepRunner, type Walk } from '../walk.ts'
import { callSkill } from './skill.ts'

/** Codes of a poll's call that the next one may not meet. */
const passing: ReadonlySet<string> = new Set(['network', 'call_timeout', 'rate_limited', 'vendor_unavailable'])

export const runWait: StepRunner<'wait'> = async (walk, frame, { wait }, address) => {
  if (wait.kind === 'poll') return poll(walk, frame, wait, address)
  const until = await decided(walk, `${address}#until`, async () =>
    wait.kind === 'for' ? walk.clock.now() + wait.duration : timeIn(walk, wait, frame, address),
  )
  // Once it is over it stays so, also for a process whose clock is behind.
  if (walk.recorded.decision(`${address}#over`) === undefined) await restUntil(walk, address, { until })
  decide(walk, `${address}#over`, () => true)
  return null
}

async function timeIn(walk: Walk, { time }: Extract<Wait, { kind: 'until' }>, frame: Frame, address: string): Promise<number> {
  const value = await rendered(walk, time, frame.context)
  const at = timeOf(value)
  if (at === undefined)
    throw new StepFailed(
      failed('template_failed', `until is ${value === undefined ? 'missing' : JSON.stringify(value).slice(0, 100)}, which is no time.`, address),
    )
  return at
}

/** Every answer is in the journal, so that walking on from there repeats no call. */
async function poll(walk: Walk, frame: Frame, { poll: step, every, until, atMost }: Extract<Wait, { kind: 'poll' }>, address: string): Promise<Json> {
  const end = decide(walk, `${address}#until`, () => walk.clock.now() + atMost)
  for (let number = 0; ; number += 1) {
    const outcome = await callSkill(walk, frame, step, `${address}/${number}`)
    walk.recorded.passed(`${address}/${number}`)
    if (!outcome.ok && !passing.has(outcome.failure.code)) throw new StepFailed({ ...outcome.failure, step: address })
    if (outcome.ok && (await holds(walk, until, { ...frame.context, output: outcome.output }))) return outcome.output
    if (outcome.at >= end) {
      const last = outcome.ok ? 'the last answer did not fit' : `the last call failed: ${outcome.failure.code}`
      throw new StepFailed(failed('wait_timed_out', `Asked ${number + 1} times in ${atMost} ms; ${last}.`, address))
    }
    if (walk.recorded.outcome(`${address}/${number + 1}`) === undefined) await restUntil(walk, address, { until: Math.min(outcome.at + every, end) })
  }
}
