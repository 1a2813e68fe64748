import { asId, type Run, type RunId, type Scope } from '../../../domain/index.ts'
import { TocsinError } from '../../../errors/index.ts'
import type { Store } from '../../../storage/index.ts'

/** @throws TocsinError `run_unknown`, also for a run outside the caller's scope */
export async function runOf(store: Store, scope: Scope, given: string): Promise<Run> {
  const run = await store.runs.get(scope, asId<RunId>(given))
  if (!run) throw new TocsinError('run_unknown', 'No run that this key may see has this run_id.')
  return run
}
