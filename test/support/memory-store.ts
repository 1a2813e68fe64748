import { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../runtime/domain/index.ts'
import { migrate } from '../../runtime/storage/embedded/schema.ts'
import { Sql } from '../../runtime/storage/embedded/sql.ts'
import { openTables } from '../../runtime/storage/embedded/tables.ts'
import type { Store } from '../../runtime/storage/index.ts'

type Some = 'connections' | 'tokens'

/** Tables of the embedded store in memory and in this thread, for tests that turn the clock by hand: a call is done within its turn of the event loop. */
export function memoryStore(clock: Clock): Pick<Store, Some> & { close(): void } {
  const database = new DatabaseSync(':memory:')
  migrate(database)
  const sql = new Sql(database)
  const tables = openTables(sql)
  const later = <A extends Some>(aggregate: A): Store[A] => {
    const table = tables[aggregate] as unknown as Readonly<Record<string, (...parameters: unknown[]) => unknown>>
    const methods = Object.entries(table).map(([name, method]) => [
      name,
      async (...parameters: unknown[]) => {
        sql.now = clock.now()
        // A copy: what the caller goes on to change is no longer the store's.
        return structuredClone(method(...structuredClone(parameters)))
      },
    ])
    return Object.fromEntries(methods) as Store[A]
  }
  return { connections: later('connections'), tokens: later('tokens'), close: () => database.close() }
}
