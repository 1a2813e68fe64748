import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { systemClock } from '../runtime/config/index.ts'
import { asId, type Case, type CaseSort, type CaseUuid, casePosition, type OrganizationId, systemScope } from '../runtime/domain/index.ts'
import type { CaseQuery } from '../runtime/storage/index.ts'
import { disturb, header, measure, type Timed } from './search/ask.ts'
import { benchCase, caseSearches } from './search/cases.ts'
import { embeddedCases } from './search/embedded-cases.ts'
import { mongoCases } from './search/mongo-cases.ts'

/**
 * Measures the search for cases by what they say: pages of fifty. While it asks, another reader asks for one case again and again, to show
 * how long a search makes others wait. `services` needs MONGODB_URL.
 * `node bench/search-cases.ts [--store embedded|services] [--cases 150000] [--rounds 30] [--json result.json]`
 */
const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'embedded' },
    cases: { type: 'string', default: '150000' },
    rounds: { type: 'string', default: '30' },
    json: { type: 'string' },
  },
})
const [count, rounds] = [Number(values.cases), Number(values.rounds)]
const began = systemClock.now() - count * 1_000
const cases = Array.from({ length: count }, (_, n) => benchCase(n, count, began + n * 1_000))
const { store, index, close } = await (values.store === 'services' ? mongoCases(process.env['MONGODB_URL'] ?? '', cases) : embeddedCases(cases))
try {
  const timed: Timed[] = []
  const first = { after: null, limit: 50 } as const
  timed.push(await measure('before there is an index: a word of none', 3, () => store.cases.list(systemScope, { ...first, words: ['nowhere'] })))
  const from = process.cpuUsage().user
  await index()
  const indexed = Math.round((process.cpuUsage().user - from) / 1_000)
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
  await close()
}
