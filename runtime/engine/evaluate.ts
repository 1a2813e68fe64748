import type { Json } from '../domain/index.ts'
import type { Condition, Context, ValueTemplate } from '../expressions/index.ts'
import type { Walk } from './walk.ts'

/** What evaluation needs of a run. */
export type Evaluating = Pick<Walk, 'turns' | 'run' | 'work'>

/** A turn of the event loop for the run: null if it may go on now, else a promise to wait for. */
export function turnFor({ turns, run }: Pick<Walk, 'turns' | 'run'>): Promise<void> | null {
  return turns.next(run.organization)
}

/**
 * Renders a value for a run, once the event loop has a turn for it.
 * @throws TocsinError `template_failed`, `evaluation_exceeded`, `run_evaluation_exceeded`
 */
export async function rendered(walk: Evaluating, value: ValueTemplate, context: Context): Promise<Json | undefined> {
  const turn = value.constant ? null : turnFor(walk)
  if (turn) await turn
  return value.render(context, walk.work)
}

/**
 * Whether a condition of a run holds, once the event loop has a turn for it.
 * @throws TocsinError `condition_failed`, `evaluation_exceeded`, `run_evaluation_exceeded`
 */
export async function holds(walk: Evaluating, condition: Condition, context: Context): Promise<boolean> {
  const turn = turnFor(walk)
  if (turn) await turn
  return condition.test(context, walk.work)
}
