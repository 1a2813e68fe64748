import type { JournalEntry, RunId, Scope } from '../../domain/index.ts'

export interface JournalStore {
  /**
   * Appends an entry at its position. Returns `superseded` if the position is taken: another execution has
   * claimed the run, or the run was cancelled. The caller must stop, or read the journal again.
   * @throws TocsinError `organization_forbidden`
   */
  append(scope: Scope, run: RunId, entry: JournalEntry): Promise<'appended' | 'superseded'>
  /** Returns the entries, sorted by position, ascending. Empty if the run is unknown or out of scope. */
  read(scope: Scope, run: RunId): Promise<readonly JournalEntry[]>
  /**
   * Stores an output that is too large for the journal, under a name that the caller chooses. Storing the
   * same name again changes nothing.
   * @throws TocsinError `organization_forbidden`
   */
  putOutput(scope: Scope, run: RunId, name: string, json: string): Promise<void>
  getOutput(scope: Scope, run: RunId, name: string): Promise<string | null>
}
