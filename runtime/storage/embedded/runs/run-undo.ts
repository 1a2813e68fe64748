import { inScope, type Run, type Scope } from '../../../domain/index.ts'
import type { UndoOpening } from '../../port/index.ts'
import type { Sql } from '../database/index.ts'
import { readRun } from './run-rows.ts'

/** Creates a run that undoes another run. It waits for its first claim. */
export function openUndo(sql: Sql, scope: Scope, { run, undo, pins, at }: UndoOpening): Run | null {
  const undone = readRun(sql, undo.run)
  if (!undone || !inScope(scope, undone.organization) || undone.endedAt === null) return null
  sql.run(
    `INSERT INTO runs (id, alert, organization, type, attempt, undo, state, wake_at, epoch, owner, pins, case_uuid, case_id, started_at)
     VALUES (?, ?, ?, ?, ?, ?, 'waiting', ?, 0, '', ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    run,
    undone.alert,
    undone.organization,
    undone.type,
    undone.attempt,
    JSON.stringify(undo),
    at,
    JSON.stringify(pins),
    undone.case,
    undone.caseId,
    at,
  )
  return readRun(sql, run)
}
