import type { JournalEntry, RunId, Scope } from '../../domain/index.ts'

export interface JournalStore {
  /** 'superseded' when the position is taken: another life of the run has claimed it, and the caller must stop. */
  append(scope: Scope, run: RunId, entry: JournalEntry): Promise<'appended' | 'superseded'>
  /** In order of position. */
  read(scope: Scope, run: RunId): Promise<readonly JournalEntry[]>
  /** A large output, stored beside the log under a name of the caller's; storing the same name again changes nothing. */
  putOutput(scope: Scope, run: RunId, name: string, json: string): Promise<void>
  getOutput(scope: Scope, run: RunId, name: string): Promise<string | null>
}
