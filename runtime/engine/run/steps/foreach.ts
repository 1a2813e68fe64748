import type { Json } from '../../../domain/index.ts'
import { failed } from '../../failure/failed.ts'
import { RunFailed, StepFailed } from '../../failure/signals.ts'
import { decide } from '../../journal/decide.ts'
import { countMark } from '../../journal/replay.ts'
import { type Changes, changesOf, concurrentFrame, iterationFrame, mergeChanges } from '../flow/frame.ts'
import { LoopEnd } from '../flow/loop-end.ts'
import { runConcurrently } from '../flow/run-concurrently.ts'
import type { NestingRunner } from '../step-runners.ts'
import { rendered } from '../values/evaluate.ts'

/** Runs the steps once for each item. Output: `items`, the step results of each iteration. */
export const runForeach: NestingRunner<'foreach'> = async (execution, frame, step, address, runSteps) => {
  const items = await rendered(execution, step.items, frame.context)
  if (!Array.isArray(items))
    throw new StepFailed(failed('loop_not_a_list', `foreach needs a list, and got ${items === undefined ? 'nothing' : typeof items}.`, address))
  if (items.length > step.maxItems)
    throw new StepFailed(failed('loop_too_long', `${items.length} items, and max_items is ${step.maxItems}. No iteration has run.`, address))
  const count = decide(execution, `${address}${countMark}`, () => items.length)
  if (count !== items.length)
    throw new RunFailed(failed('journal_mismatch', `The loop had ${count} items before and has ${items.length} now.`, address))

  const beside = step.concurrency > 1
  const ids = step.steps.map(({ id }) => id)
  // Keeps only what the iterations changed. What they saw also includes all steps before the loop, once for each item.
  const left: Json[] = []
  const changes: Changes[] = []
  const end = new LoopEnd(execution, frame, address)
  const parts = (items as readonly Json[]).map((item, index) => {
    const prefix = `${address}/${index}`
    return {
      begun: execution.replay.hasBegun(prefix),
      async run() {
        const more = { [step.as]: item }
        const inner = beside ? concurrentFrame(frame, prefix, end.stopOf(prefix), more) : iterationFrame(frame, prefix, more)
        const ran = runSteps(execution, inner, step.steps)
        await (beside ? end.watch(inner, ran) : ran)
        left[index] = Object.fromEntries(ids.map((id) => [id, inner.steps[id] ?? null]))
        if (beside) changes[index] = changesOf(inner)
      },
    }
  })
  await runConcurrently(parts, step.concurrency).catch((error: unknown) => {
    throw end.instead(error)
  })
  // In the order of the items, whichever ended first.
  for (const changed of changes) mergeChanges(frame, changed)
  return { items: left }
}
