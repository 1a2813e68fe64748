import { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../domain/index.ts'
import type { Store } from '../port/index.ts'
import { type Aggregates, openTables } from './assemble.ts'
import { migrate, Sql } from './database/index.ts'

/** An empty database with this version's schema. Kept, because creating the tables takes longer than a rehearsal. */
let blank: Uint8Array | null = null

function openBlank(): DatabaseSync {
  const database = new DatabaseSync(':memory:')
  if (blank) database.deserialize(blank)
  else {
    migrate(database)
    blank = database.serialize()
  }
  return database
}

/**
 * Opens an embedded store in memory, in this thread. It is gone when it is closed. For rehearsals. A call
 * finishes within its turn of the event loop.
 */
export function openMemoryStore(clock: Clock): Store {
  const database = openBlank()
  const sql = new Sql(database)
  const tables = openTables(sql)
  const later = <A extends keyof Aggregates>(aggregate: A): Aggregates[A] => {
    const table = tables[aggregate] as unknown as Readonly<Record<string, (...parameters: unknown[]) => unknown>>
    const methods = Object.entries(table).map(([name, method]) => [
      name,
      async (...parameters: unknown[]) => {
        sql.now = clock.now()
        // Copies the values, so that the caller cannot change what is stored.
        return structuredClone(method(...structuredClone(parameters)))
      },
    ])
    return Object.fromEntries(methods) as Aggregates[A]
  }
  const aggregates = Object.fromEntries(Object.keys(tables).map((name) => [name, later(name as keyof Aggregates)])) as unknown as Aggregates
  const { alerts, runs } = aggregates
  // There is no commit to wait for, and nothing to tell before it. And a function cannot be copied.
  const insert: Store['alerts']['insert'] = (scope, batch) => alerts.insert(scope, batch)
  const end: Store['runs']['end'] = (scope, ending) => runs.end(scope, ending)
  const close = async (): Promise<void> => database.close()
  return { ...aggregates, alerts: { ...alerts, insert }, runs: { ...runs, end }, ping: async () => {}, close }
}
