import type { Sql } from './sql.ts'

/** Checks that the disk accepts writes and that the data can be read. */
export interface Probe {
  /** Writes a value that nothing needs. */
  touch(): void
  /** Reads the latest rows of the tables that people read most. */
  look(): void
}

const reads = [
  'SELECT a.*, s.* FROM alerts a JOIN alert_states s ON s.id = a.id ORDER BY a.created_at DESC, a.uuid DESC LIMIT 20',
  'SELECT * FROM cases ORDER BY created_at DESC, uuid DESC LIMIT 20',
  'SELECT * FROM runs ORDER BY started_at DESC, id DESC LIMIT 20',
  'SELECT * FROM timeline ORDER BY id DESC LIMIT 20',
  "SELECT * FROM decisions WHERE state = 'open' ORDER BY asked_at, id LIMIT 20",
  'SELECT * FROM organizations ORDER BY folded LIMIT 20',
]

/** The `Probe` of a database. */
export function probeTable(sql: Sql): Probe {
  return {
    touch() {
      sql.run("INSERT INTO settings (name, value) VALUES ('touched', ?1) ON CONFLICT DO UPDATE SET value = ?1", String(sql.now))
    },
    look() {
      for (const statement of reads) sql.all(statement)
    },
  }
}
