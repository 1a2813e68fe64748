import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { systemClock } from '../../runtime/config/index.ts'
import { systemScope } from '../../runtime/domain/index.ts'
import { openEmbeddedStore } from '../../runtime/storage/embedded/index.ts'
import type { Store } from '../../runtime/storage/index.ts'
import { segmentSize } from '../../runtime/storage/words/index.ts'
import { type BenchCase, type FilledCases, newestOfTail, stateOf } from './cases.ts'

/** Writes the rows of cases straight into the tables of a new store, and opens it. */
export async function embeddedCases(cases: readonly BenchCase[]): Promise<FilledCases> {
  const directory = mkdtempSync(join(tmpdir(), 'tocsin-search-cases-'))
  await (await openEmbeddedStore({ directory, clock: systemClock })).close()
  const database = new DatabaseSync(join(directory, 'tocsin.db'))
  database.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -200000; BEGIN')
  const insert = database.prepare(
    `INSERT INTO cases (uuid, organization, number, case_id, alerts, title, severity, status, disposition, summary, created_at, modified_at)
     VALUES (?, ?, ?, ?, '[]', ?, 'low', ?, ?, ?, ?, ?)`,
  )
  for (const one of cases) {
    const { organization, number, caseId, title, summary, createdAt, modifiedAt } = one
    const { status, disposition } = stateOf(one)
    insert.run(randomUUID(), organization, number, caseId, title, status, disposition, summary, createdAt, modifiedAt)
  }
  database.exec('COMMIT')
  database.close()
  const store = await openEmbeddedStore({ directory, clock: systemClock })
  return {
    store,
    index: () => settle(store, directory, Math.floor((cases.length - newestOfTail) / segmentSize)),
    async close() {
      await store.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** Waits until the store has so many segments: it builds them while it is used. */
async function settle(store: Store, directory: string, wanted: number): Promise<void> {
  const database = new DatabaseSync(join(directory, 'tocsin.db'), { readOnly: true })
  const segments = database.prepare('SELECT count(*) AS count FROM case_segments')
  while (Number(segments.get()?.['count']) < wanted) {
    await store.settings.settle(systemScope, 'bench', 'x')
    await systemClock.sleep(200)
  }
  database.close()
}
