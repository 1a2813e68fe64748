import { type JournalRecord, type Run, type RunId, systemScope, undoRunId } from '../../domain/index.ts'
import type { Store } from '../../storage/index.ts'
import type { UndoDocument } from './document.ts'
import { type WriteEnd, writesOf } from './run-writes.ts'
import { readUndo } from './stored-undo.ts'

/** The outcome of one call of an undo. `pending`: the call has not begun yet, or is under way. */
export interface UndoEnd {
  readonly outcome: 'undone' | 'failed' | 'in_doubt' | 'not_begun' | 'pending'
  /** Error code, if the call failed. */
  readonly code: string | null
  readonly message: string | null
}

/** A run that undoes another, with its plan and the outcomes so far. */
export interface Undo {
  readonly run: Run
  readonly document: UndoDocument
  /** Keyed by the id of the step. */
  readonly ends: ReadonlyMap<string, UndoEnd>
}

/** Returns the runs that undo this one, in their order. */
export async function undosOf(store: Pick<Store, 'runs' | 'journal'>, id: RunId): Promise<readonly Undo[]> {
  const found: Undo[] = []
  for (let number = 1; ; number += 1) {
    const run = await store.runs.get(systemScope, undoRunId(id, number))
    if (!run) return found
    const records = (await store.journal.read(systemScope, run.id)).flatMap((entry) => entry.records)
    const document = await readUndo(store, run)
    found.push({ run, document, ends: endsOf(run, document, records) })
  }
}

/** Returns the writes of a run that earlier undos have undone or may have undone, by address. */
export function undoneBy(undos: readonly Undo[]): ReadonlyMap<string, 'undone' | 'in_doubt'> {
  const found = new Map<string, 'undone' | 'in_doubt'>()
  for (const { document, ends } of undos) {
    for (const { id, undoes } of document.steps) {
      const outcome = ends.get(id)?.outcome
      if (outcome === 'undone' || outcome === 'in_doubt') found.set(undoes.address, outcome)
    }
  }
  return found
}

/** A write that happened in part must not be repeated, and neither must one in doubt. */
const outcomes: Readonly<Record<WriteEnd, UndoEnd['outcome']>> = { done: 'undone', not_happened: 'failed', in_doubt: 'in_doubt', partial: 'in_doubt' }

/**
 * Returns the outcomes of the calls of an undo, by the id of their step.
 * @param records all records of its journal
 */
export function endsOf(
  { endedAt }: Pick<Run, 'endedAt'>,
  { steps }: Pick<UndoDocument, 'steps' | 'left'>,
  records: readonly JournalRecord[],
): ReadonlyMap<string, UndoEnd> {
  const begun = endedAt === null ? 'pending' : 'not_begun'
  const ends = new Map<string, UndoEnd>(steps.map(({ id }) => [id, { outcome: begun, code: null, message: null }]))
  for (const { address, end, code, message, ended } of writesOf(records)) {
    // While the undo runs, a call without an outcome is under way.
    if (ended || endedAt !== null) ends.set(address, { outcome: outcomes[end], code, message })
  }
  return ends
}
