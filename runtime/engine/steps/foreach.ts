import type { Json } from '../../domain/index.ts'
import { runSteps } from '../run-steps.ts'
import { RunFailed, StepFailed } from '../signals.ts'
import { decide, failed, frameOf, type StepRunner } from '../walk.ts'

/** Runs the steps once an item; output: `items`, one entry an iteration, holding what its steps left. */
export const runForeach: StepRunner<'foreach'> = async (walk, frame, step, address) => {
  const items = step.items.render(frame.context)
  if (!Array.isArray(items))
    throw new StepFailed(failed('loop_not_a_list', `foreach was given ${items === undefined ? 'nothing' : typeof items}.`, address))
  if (items.length > step.maxItems)
    throw new StepFailed(failed('loop_too_long', `${items.length} items, and max_items is ${step.maxItems}; none was worked on.`, address))
  const count = decide(walk, `${address}#`, () => items.length)
  if (count !== items.length)
    throw new RunFailed(failed('journal_mismatch', `The loop had ${count} items before and has ${items.length} now.`, address))

  const results: Json[] = new Array<Json>(items.length)
  let next = 0
  let failure: unknown
  const work = async (): Promise<void> => {
    while (next < items.length && failure === undefined) {
      const index = next++
      const steps = { ...frame.steps }
      const inner = frameOf(`${address}/${index}`, { ...frame.context, [step.as]: items[index] }, steps)
      try {
        await runSteps(walk, inner, step.steps)
        results[index] = Object.fromEntries(step.steps.map(({ id }) => [id, steps[id] ?? null]))
      } catch (error) {
        // The iterations under way end by themselves; no further one begins.
        failure ??= error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(step.concurrency, items.length) }, work))
  if (failure !== undefined) throw failure
  return { items: results }
}
