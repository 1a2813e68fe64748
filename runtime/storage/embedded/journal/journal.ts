import { asId, inScope, type JournalEntry, type OrganizationId, type RunId, type Scope } from '../../../domain/index.ts'
import type { JournalStore } from '../../port/index.ts'
import { mustReach } from '../../scope-guard.ts'
import type { Sql, Synchronous } from '../database/index.ts'

/** Appends an entry. Returns false if its position is taken. */
export function appendEntry(sql: Sql, run: RunId, { position, epoch, format, records }: JournalEntry): boolean {
  return (
    sql.run(
      'INSERT INTO journal (run, position, epoch, format, records) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
      run,
      position,
      epoch,
      format,
      JSON.stringify(records),
    ) > 0
  )
}

export function readEntries(sql: Sql, run: RunId): JournalEntry[] {
  return sql.all('SELECT position, epoch, format, records FROM journal WHERE run = ? ORDER BY position', run).map((row) => ({
    position: Number(row['position']),
    epoch: Number(row['epoch']),
    format: 1,
    records: JSON.parse(String(row['records'])),
  }))
}

/** The `JournalStore` of the port in SQLite. */
export function journalTable(sql: Sql): Synchronous<JournalStore> {
  const sees = (scope: Scope, run: RunId): boolean => {
    if (scope.organizations === 'all') return true
    const organization = sql.get('SELECT organization FROM runs WHERE id = ?', run)?.['organization']
    return organization !== undefined && inScope(scope, asId<OrganizationId>(String(organization)))
  }

  return {
    append(scope, run, entry) {
      mustReach(sees(scope, run), 'run')
      return appendEntry(sql, run, entry) ? 'appended' : 'superseded'
    },
    read: (scope, run) => (sees(scope, run) ? readEntries(sql, run) : []),
    putOutput(scope, run, name, json) {
      mustReach(sees(scope, run), 'run')
      sql.run('INSERT INTO outputs (run, name, json) VALUES (?, ?, ?) ON CONFLICT DO NOTHING', run, name, json)
    },
    getOutput(scope, run, name) {
      if (!sees(scope, run)) return null
      const row = sql.get('SELECT json FROM outputs WHERE run = ? AND name = ?', run, name)
      return row ? String(row['json']) : null
    },
  }
}
