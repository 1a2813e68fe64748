import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import { systemClock } from '../runtime/config/index.ts'
import { asId, type Case, type CaseSort, type CaseUuid, casePosition, type OrganizationId, systemScope } from '../runtime/domain/index.ts'
import { openEmbeddedStore } from '../runtime/storage/embedded/index.ts'
import type { CaseQuery, Store } from '../runtime/storage/index.ts'
import { segmentSize } from '../runtime/storage/words/index.ts'
import { disturb, header, measure, type Timed } from './search/ask.ts'
import { benchCase, caseSearches } from './search/cases.ts'

/**
 * Measures the search for cases by what they say: pages of fifty of the embedded store. While it asks, another reader asks for one case
 * again and again, to show how long a search makes others wait.
 * `node bench/search-cases.ts [--cases 150000] [--rounds 30] [--json result.json]`
 */
const { values } = parseArgs({
  options: { cases: { type: 'string', default: '150000' }, rounds: { type: 'string', default: '30' }, json: { type: 'string' } },
})
const [count, rounds] = [Number(values.cases), Number(values.rounds)]
const directory = mkdtempSync(join(tmpdir(), 'tocsin-search-cases-'))
/** The store leaves so many of the newest cases out of segments, because most of them still change. */
const newestOfTail = 256
const began = systemClock.now() - count * 1_000

/** Writes the rows of cases straight into the tables of a new store. */
async function fill(): Promise<void> {
  await (await openEmbeddedStore({ directory, clock: systemClock })).close()
  const database = new DatabaseSync(join(directory, 'tocsin.db'))
  database.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -200000; BEGIN')
  const insert = database.prepare(
    `INSERT INTO cases (uuid, organization, number, case_id, alerts, title, severity, status, disposition, summary, created_at, modified_at)
     VALUES (?, ?, ?, ?, '[]', ?, 'low', ?, ?, ?, ?, ?)`,
  )
  for (let n = 0; n < count; n += 1) {
    const { organization, number, caseId, title, summary, createdAt, modifiedAt } = benchCase(n, count, began + n * 1_000)
    const [status, disposition] = n % 10 ? (['closed', 'non_malicious_positive'] as const) : (['new', 'pending'] as const)
    insert.run(randomUUID(), organization, number, caseId, title, status, disposition, summary, createdAt, modifiedAt)
  }
  database.exec('COMMIT')
  database.close()
}

/** Waits until the store has indexed all but the newest cases. Returns the processor time in milliseconds. */
async function settle(store: Store): Promise<number> {
  const from = process.cpuUsage().user
  const database = new DatabaseSync(join(directory, 'tocsin.db'), { readOnly: true })
  const segments = database.prepare('SELECT count(*) AS count FROM case_segments')
  const wanted = Math.floor((count - newestOfTail) / segmentSize)
  while (Number(segments.get()?.['count']) < wanted) {
    await store.settings.settle(systemScope, 'bench', 'x')
    await systemClock.sleep(200)
  }
  database.close()
  return Math.round((process.cpuUsage().user - from) / 1_000)
}

await fill()
const store = await openEmbeddedStore({ directory, clock: systemClock })
try {
  const timed: Timed[] = []
  const first = { after: null, limit: 50 } as const
  timed.push(await measure('before there is an index: a word of none', 3, () => store.cases.list(systemScope, { ...first, words: ['nowhere'] })))
  const indexed = await settle(store)
  console.log(`${count} cases, indexed with ${indexed} ms of processor time`)
  header()
  const known = (await store.cases.list(systemScope, { ...first, limit: 1 })).items[0]?.caseId ?? ''
  const stop = disturb(() => store.cases.byCaseId(systemScope, known))
  const ask = async (name: string, query: Partial<CaseQuery>): Promise<void> => {
    timed.push(await measure(name, rounds, () => store.cases.list(systemScope, { ...first, ...query })))
  }
  await ask('no word', {})
  const after = { key: began + (count / 2) * 1_000, uuid: asId<CaseUuid>('') }
  for (const [name, words] of Object.entries(caseSearches)) {
    await ask(`${name}: first page`, { words })
    await ask(`${name}: middle`, { words, after })
    const sorts = ['created_at', '-modified_at', '-severity'] as const satisfies readonly CaseSort[]
    for (const sort of sorts) await ask(`${name}: ${sort}`, { words, sort })
  }
  await ask('a common word, small organization', { words: ['neverone'], organizations: [asId<OrganizationId>('small')] })
  await ask('a common word, closed', { words: ['evidence'], statuses: ['closed'] })
  const [last] = (await store.cases.list(systemScope, { ...first, words: ['evidence'] })).items.slice(-1) as Case[]
  if (last) await ask('a common word: second page', { words: ['evidence'], after: casePosition(last, '-created_at') })
  const longestWait = await stop()
  console.log(`another request waited at most ${longestWait} ms`)
  if (values.json) writeFileSync(values.json, `${JSON.stringify({ cases: count, indexed, longestWait, timed }, null, 2)}\n`)
} finally {
  await store.close()
  rmSync(directory, { recursive: true, force: true })
}
