import { asId, cancellationEntry, inScope, type RunId } from '../../../domain/index.ts'
import type { RunStore } from '../../port/index.ts'
import { addEntry } from '../cases/timeline.ts'
import type { Synchronous } from '../database/index.ts'
import { type Sql, scopeFilter, scopeParameter } from '../database/index.ts'
import { appendEntry, readEntries } from '../journal/journal.ts'
import { readRun, wakeRun } from './run-rows.ts'

export function runCanceller(sql: Sql): Synchronous<Pick<RunStore, 'cancel' | 'cancelled' | 'dropRetry'>> {
  return {
    cancel(scope, id, cancellation) {
      const run = readRun(sql, id)
      if (!run || !inScope(scope, run.organization)) return null
      if (run.state !== 'running' && run.state !== 'waiting') return { kind: 'over', run }
      if (run.cancelled) return { kind: 'already', run }
      const position = (readEntries(sql, id).at(-1)?.position ?? -1) + 1
      appendEntry(sql, id, { position, epoch: run.epoch, format: 1, records: [{ kind: 'cancelled', ...cancellation }] })
      sql.run('UPDATE runs SET cancelled = ?, held_by = NULL WHERE id = ?', JSON.stringify(cancellation), id)
      wakeRun(sql, id, cancellation.at)
      addEntry(sql, run.case, cancellationEntry(id, cancellation))
      return { kind: 'cancelled', run: readRun(sql, id) ?? run }
    },
    dropRetry(scope, id) {
      const run = readRun(sql, id)
      if (!run || !inScope(scope, run.organization) || run.retryAt === null) return false
      const dropped = sql.run(
        `UPDATE alert_states SET retry_at = NULL
         WHERE id = (SELECT id FROM alerts WHERE uuid = ?) AND status = 20 AND retry_count = ? AND retry_at IS NOT NULL`,
        run.alert,
        run.attempt - 1,
      )
      if (dropped > 0) sql.run('UPDATE runs SET retry_at = NULL WHERE id = ?', id)
      return dropped > 0
    },
    cancelled(scope, session) {
      return sql
        .all(
          `SELECT id FROM runs WHERE owner = ?2 AND state = 'running' AND cancelled IS NOT NULL AND ${scopeFilter('organization')}`,
          scopeParameter(scope),
          session,
        )
        .map((row) => asId<RunId>(String(row['id'])))
    },
  }
}
