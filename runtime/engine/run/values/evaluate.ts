import type { Json } from '../../../domain/index.ts'
import type { Condition, Context, ValueTemplate } from '../../../expressions/index.ts'
import type { EvaluationContext } from '../contexts.ts'

/**
 * Returns a promise to wait for until the event loop has a turn for the run. Null: go on now. Until then the journal
 * gathers outcomes of reads: the run appends more, or ends, soon after it.
 */
export function turnFor({ turns, run, journal }: Pick<EvaluationContext, 'turns' | 'run' | 'journal'>): Promise<void> | null {
  const turn = turns.next(run.organization)
  return turn?.then(journal.gather()) ?? null
}

/**
 * Renders a value for a run when the event loop has a turn for it.
 * @throws TocsinError `template_failed`, `evaluation_exceeded`, `run_evaluation_exceeded`
 */
export async function rendered(execution: EvaluationContext, value: ValueTemplate, context: Context): Promise<Json | undefined> {
  const turn = value.constant ? null : turnFor(execution)
  if (turn) await turn
  return value.render(context, execution.work)
}

/**
 * Returns whether a condition of a run is true, evaluated when the event loop has a turn for it.
 * @throws TocsinError `condition_failed`, `evaluation_exceeded`, `run_evaluation_exceeded`
 */
export async function holds(execution: EvaluationContext, condition: Condition, context: Context): Promise<boolean> {
  const turn = turnFor(execution)
  if (turn) await turn
  return condition.test(context, execution.work)
}
