import type { Json } from '../../domain/index.ts'
import { rendered } from '../evaluate.ts'
import { failed } from '../failed.ts'
import { besideFrame, type Changes, changesOf, iterationFrame, takeOver } from '../frame.ts'
import { RunFailed, StepFailed } from '../signals.ts'
import { runTogether } from '../together.ts'
import { decide, type NestingRunner } from '../walk.ts'

/** Runs the steps once an item; output: `items`, one entry an iteration, holding what its steps left. */
export const runForeach: NestingRunner<'foreach'> = async (walk, frame, step, address, runSteps) => {
  const items = await rendered(walk, step.items, frame.context)
  if (!Array.isArray(items))
    throw new StepFailed(failed('loop_not_a_list', `foreach was given ${items === undefined ? 'nothing' : typeof items}.`, address))
  if (items.length > step.maxItems)
    throw new StepFailed(failed('loop_too_long', `${items.length} items, and max_items is ${step.maxItems}; none was worked on.`, address))
  const count = decide(walk, `${address}#`, () => items.length)
  if (count !== items.length)
    throw new RunFailed(failed('journal_mismatch', `The loop had ${count} items before and has ${items.length} now.`, address))

  const beside = step.concurrency > 1
  const ids = step.steps.map(({ id }) => id)
  // Keep only what the iterations changed. What they saw includes all steps before the loop, once for each item.
  const left: Json[] = []
  const changes: Changes[] = []
  const parts = (items as readonly Json[]).map((item, index) => {
    const prefix = `${address}/${index}`
    return {
      begun: walk.recorded.touched(prefix),
      async run() {
        const more = { [step.as]: item }
        const inner = beside ? besideFrame(frame, prefix, frame.halt, more) : iterationFrame(frame, prefix, more)
        await runSteps(walk, inner, step.steps)
        left[index] = Object.fromEntries(ids.map((id) => [id, inner.steps[id] ?? null]))
        if (beside) changes[index] = changesOf(inner)
      },
    }
  })
  await runTogether(parts, step.concurrency)
  // In the order of the items, whichever came first.
  for (const changed of changes) takeOver(frame, changed)
  return { items: left }
}
