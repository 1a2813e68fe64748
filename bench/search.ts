import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { MongoClient } from 'mongodb'
import { systemClock, systemIds } from '../runtime/config/index.ts'
import { type Alert, type AlertUuid, asId, type NewAlert, type OrganizationId, type PrincipalId, systemScope } from '../runtime/domain/index.ts'
import { openEmbeddedStore } from '../runtime/storage/embedded/index.ts'
import type { AlertConditions, AlertPosition, AlertQuery, Store } from '../runtime/storage/index.ts'
import { openMongoStore } from '../runtime/storage/mongodb/index.ts'
import { disturb, hash, header, measure, type Timed } from './search/ask.ts'

/**
 * Measures the search for words: pages of fifty, on the embedded store or, with MONGODB_URL, on MongoDB. While it asks, another reader asks
 * for one alert again and again, to show how long a search makes others wait.
 * `node bench/search.ts [--alerts 200000] [--rounds 30] [--json result.json] [--keep FOLDER] [--settle SECONDS]`
 * It lets the store tidy up for some seconds between filling and asking, as a worker does every two seconds.
 */
const { values } = parseArgs({
  options: {
    alerts: { type: 'string', default: '200000' },
    rounds: { type: 'string', default: '30' },
    json: { type: 'string' },
    keep: { type: 'string' },
    settle: { type: 'string', default: '0' },
  },
})
const [count, rounds] = [Number(values.alerts), Number(values.rounds)]
const url = process.env['MONGODB_URL']
const database = `search-${randomUUID()}`
const directory = values.keep ?? mkdtempSync(join(tmpdir(), 'tocsin-search-'))
const began = systemClock.now() - count

async function open(): Promise<Store> {
  if (url) return openMongoStore({ url, database, clock: systemClock, ids: systemIds })
  return openEmbeddedStore({ directory, clock: systemClock })
}

/** About forty words, as an alert of 1 KB has: some in all alerts, some from a vocabulary, and five of its own. */
function tokensFor(n: number): string[] {
  const words = ['title', 'severity', 'source', 'sensor', 'user', 'host', 'process', n % 2 ? 'left' : 'right']
  for (let i = 0; i < 24; i += 1) words.push(`v${(hash(n * 31 + i) % (4 ** (i % 8) + 3)).toString(36)}`)
  for (let i = 0; i < 3; i += 1)
    words.push(
      hash(n * 7 + i)
        .toString(16)
        .padStart(8, '0') + hash(n * 13 + i).toString(16),
    )
  words.push(`seq${String(n).padStart(9, '0')}`, `evt${hash(n)}`)
  if (n % 100 === 0) words.push('hundredth')
  // Two words that many alerts have, but few have both.
  if (n % 4 === 0) words.push('never1')
  if (n % 4 === 2) words.push('never2')
  if (n % 4 === 1) words.push('seldom1')
  if (n % 4 === 3 || n % 100_000 === 1) words.push('seldom2')
  if (n < count / 10) words.push('oldest')
  if (n % Math.ceil(count / 10) === 7) words.push('tenfold')
  if (n === Math.floor(count / 3)) words.push('single')
  return [...new Set(words)]
}

function alertFor(n: number): NewAlert {
  const tokens = tokensFor(n)
  const organization = asId<OrganizationId>(n % 1_000 === 3 ? 'small' : 'large')
  return {
    uuid: asId<AlertUuid>(systemIds.uuid()),
    organization,
    organizationCode: organization.toUpperCase(),
    provider: n % 3 ? 'edr' : 'mail',
    numberedAs: `${organization.toUpperCase()}-EDR`,
    type: n % 50 ? 'malware' : 'phishing',
    content: JSON.stringify({ text: tokens.join(' '), pad: 'x'.repeat(600) }),
    name: 'x',
    tokens,
    createdAt: began + n,
    createdAtSource: null,
    createdBy: asId<PrincipalId>('p'),
    idempotency: null,
  }
}

async function fill(store: Store): Promise<number> {
  const from = performance.now()
  for (let n = 0; n < count; n += 250) {
    await store.alerts.insert(
      systemScope,
      Array.from({ length: Math.min(250, count - n) }, (_, i) => alertFor(n + i)),
    )
    if (n % 10_000 === 0) process.stderr.write(`\r${n} alerts`)
  }
  return Math.round(count / ((performance.now() - from) / 1_000))
}

/** Ends all alerts in MongoDB, as runs would before their words are in a segment. Pages of states there do not say what an open alert is. */
async function endAll(mongoUrl: string): Promise<void> {
  const client = await MongoClient.connect(mongoUrl)
  const ended = { $set: { status: 15, investigator: 'usual' }, $unset: { waitingSince: '' } } as const
  await client.db(database).collection('alerts').updateMany({}, ended)
  await client.close()
}

const searches: Readonly<Record<string, AlertConditions>> = {
  'a word of all alerts': { words: ['severity'] },
  'a word of half of them': { words: ['left'] },
  'a word of one in a hundred': { words: ['hundredth'] },
  'a word of the oldest tenth': { words: ['oldest'] },
  'a word of ten alerts': { words: ['tenfold'] },
  'a word of one alert': { words: ['single'] },
  'a word of none': { words: ['nowhere'] },
  'a letter: many words': { words: ['s'] },
  'a digit: very many words': { words: ['1'] },
  'the beginning of numbers': { words: ['seq0000'] },
  'two common words': { words: ['severity', 'right'] },
  'two common words that never meet': { words: ['never1', 'never2'] },
  'two common words that seldom meet': { words: ['seldom1', 'seldom2'] },
  'two beginnings that never meet': { words: ['seq0000', 'never1', 'never2'] },
  'a common and a rare word': { words: ['severity', 'single'] },
  'twenty words': { words: [...tokensFor(5).slice(0, 7), ...Array.from({ length: 13 }, (_, i) => (15 - i).toString(16))] },
  'a common word, small organization': { words: ['severity'], organizations: [asId<OrganizationId>('small')] },
  'words that never meet it, small organization': { words: ['never1'], organizations: [asId<OrganizationId>('small')] },
  'a common word, rare type': { words: ['severity'], types: ['phishing'] },
  'a common word, provider': { words: ['left'], providers: ['mail'] },
  'a common word, a status that none has': { words: ['severity'], statuses: [20] },
  'a common word, a playbook that none has': { words: ['severity'], playbooks: ['nobody'] },
  'a status that none has': { statuses: [20] },
  'a playbook that none has': { playbooks: ['nobody'] },
  'a type of one in fifty': { types: ['phishing'] },
  'a provider that none has': { providers: ['nobody'] },
  'a common word, one minute': { words: ['severity'], createdFrom: began + count / 2, createdTo: began + count / 2 + 60 },
  'a word of the oldest, recent only': { words: ['oldest'], createdFrom: began + count / 2 },
}

const base = { sort: '-created_at', limit: 50, preview: 200 } as const satisfies Partial<AlertQuery>
const positionOf = ({ createdAt, uuid }: Alert): AlertPosition => ({ createdAt, uuid })
const middle: AlertPosition = { createdAt: began + Math.floor(count / 2), uuid: asId<AlertUuid>('00000000') }

const store = await open()
try {
  const inserted = await fill(store)
  console.log(`\n${count} alerts inserted, ${inserted} a second`)
  if (url) await endAll(url)
  for (let second = 0; second < Number(values.settle); second += 2) {
    await store.alerts.repair(systemScope, 0)
    await systemClock.sleep(2_000)
  }
  header()
  const timed: Timed[] = []
  const stop = disturb(() => store.alerts.byAlertId(systemScope, 'LARGE-EDR-1'))
  timed.push(await measure('no word', rounds, () => store.alerts.list(systemScope, { ...base, after: null })))
  for (const [name, conditions] of Object.entries(searches)) {
    const query = (after: AlertPosition | null, sort: AlertQuery['sort'] = '-created_at') =>
      store.alerts.list(systemScope, { ...base, ...conditions, after, sort })
    timed.push(await measure(`${name}: first page`, rounds, () => query(null)))
    timed.push(await measure(`${name}: middle`, rounds, () => query(middle)))
    const [last] = (await query(null, 'created_at')).items
    const end = last && positionOf(last)
    timed.push(await measure(`${name}: last page`, rounds, () => query(end ? { ...end, createdAt: end.createdAt + 10 } : null)))
  }
  const longestWait = await stop()
  console.log(`another request waited at most ${longestWait} ms`)
  if (values.json) writeFileSync(values.json, `${JSON.stringify({ alerts: count, insertedPerSecond: inserted, longestWait, timed }, null, 2)}\n`)
} finally {
  await store.close()
  if (url) console.log(`The database ${database} stays; drop it by hand.`)
  if (!values.keep) rmSync(directory, { recursive: true, force: true })
}
