import { DatabaseSync } from 'node:sqlite'
import { beforeAll, describe, expect, test } from 'vitest'
import { type AlertUuid, asId, foldCode, type NewAlert, type OrganizationId, type PrincipalId, systemScope } from '../../../domain/index.ts'
import type { AlertConditions, AlertPosition } from '../../port/index.ts'
import { segmentSize } from '../../words/index.ts'
import { migrate, steps } from '../database/schema.ts'
import { Sql } from '../database/sql.ts'
import { alertTable } from './alerts.ts'
import { Sealing, segmentTable } from './sealing.ts'

const typeOf = (n: number): string | null => (n % 5 === 0 ? null : n % 5 === 1 ? 'line\n"break' : 'phishing')
const organizationOf = (n: number): OrganizationId => asId(n % 100 ? 'large' : 'small')

/** Alerts whose times repeat and go back now and then, as those of several senders do. */
function alertAt(n: number): NewAlert {
  const tokens = ['all', n % 2 ? 'odd' : 'even', `mod${n % 97}`, `n${String(n).padStart(6, '0')}`, ...(n % 3_000 === 5 ? ['rare', 'größe'] : [])]
  const createdAt = 1_000_000 + Math.floor(n / 4) - (n % 50 === 7 ? 300 : 0)
  return {
    uuid: asId<AlertUuid>(`${String((n * 7_919) % 1_000_003).padStart(7, '0')}`),
    organization: organizationOf(n),
    organizationCode: 'O',
    provider: n % 3 ? 'EDR' : 'mail',
    numberedAs: 'O-EDR',
    type: typeOf(n),
    content: tokens.join(' '),
    name: 'x',
    tokens,
    createdAt,
    createdAtSource: null,
    createdBy: asId<PrincipalId>('p'),
    idempotency: null,
  }
}

/** More than two segments, and a tail. */
const count = 2 * segmentSize + 700
const alerts = Array.from({ length: count }, (_, n) => alertAt(n))
const edge = alertAt(segmentSize).createdAt

const conditions: Readonly<Record<string, AlertConditions>> = {
  'a word of all': { words: ['all'] },
  'the beginning of many words': { words: ['n00'] },
  'two words that never meet': { words: ['odd', 'even'] },
  'two words that seldom meet': { words: ['rare', 'odd'] },
  'a rare word': { words: ['größ'] },
  'no word that any alert has': { words: ['none'] },
  'whole words': { words: ['od'], contains: { text: 'ALL odd', words: ['all', 'odd'] } },
  'words and a text that is not there': { contains: { text: 'odd all', words: ['all', 'odd'] } },
  'words of an organization': { words: ['all'], organizations: [organizationOf(0)] },
  'words of no organization': { words: ['all'], organizations: [] },
  'words and a provider': { words: ['odd'], providers: ['mail'] },
  'a provider alone': { providers: ['edr'] },
  'a type with a line end': { types: ['line\n"break'] },
  'words, a type and a status': { words: ['even'], types: ['phishing'], statuses: [20] },
  'a status that few have': { statuses: [20] },
  'a status that many have': { statuses: [0] },
  'words and a status that many have': { words: ['odd'], statuses: [0, 5] },
  'a playbook': { playbooks: ['seven'] },
  'words and a playbook': { words: ['even'], playbooks: ['seven', 'nobody'] },
  'words and a playbook that none has': { words: ['all'], playbooks: ['nobody'] },
  'words of finished ones': { words: ['all'], finished: true },
  'words in a time range': { words: ['even'], createdFrom: edge - 20, createdTo: edge + 20 },
  'words before the first alert': { words: ['all'], createdTo: 5 },
}

function matches(n: number, query: AlertConditions): boolean {
  const { tokens, organization, provider, type, content, createdAt } = alerts[n]!
  const { words = [], contains, organizations, providers, types, statuses, playbooks, finished, createdFrom = 0, createdTo = Infinity } = query
  return (
    words.every((word) => tokens.some((token) => token.startsWith(word))) &&
    (!contains || (contains.words.every((word) => tokens.includes(word)) && content.includes(contains.text.toLowerCase()))) &&
    (!organizations || organizations.includes(organization)) &&
    (!providers || providers.includes(foldCode(provider))) &&
    (!types || (type !== null && types.includes(type))) &&
    (!statuses || statuses.includes(isFailed(n) ? 20 : 0)) &&
    (!playbooks || (playbooks.includes('seven') && n % 7 === 0)) &&
    (finished === undefined || finished === isFailed(n)) &&
    createdAt >= createdFrom &&
    createdAt < createdTo
  )
}
const isFailed = (n: number): boolean => n % 1_000 === 6

const expected = (query: AlertConditions): string[] =>
  [...alerts.keys()]
    .filter((n) => matches(n, query))
    .map((n) => alerts[n]!)
    .sort((a, b) => a.createdAt - b.createdAt || (a.uuid < b.uuid ? -1 : 1))
    .map(({ uuid }) => uuid)

function fill(sql: Sql): void {
  const table = alertTable(sql)
  for (let from = 0; from < count; from += 500) table.insert(systemScope, alerts.slice(from, from + 500))
  for (const n of alerts.keys()) if (isFailed(n)) sql.run('UPDATE alert_states SET status = 20 WHERE id = ?', n + 1)
  sql.run(`UPDATE alert_states SET investigator = 'seven' WHERE id % 7 = 1`)
}

function sealingOf(database: DatabaseSync, sql: Sql): Sealing {
  const within = (work: () => void): true => {
    database.exec('BEGIN')
    work()
    database.exec('COMMIT')
    return true
  }
  const table = segmentTable(sql)
  return new Sealing(sql, { add: (segment) => within(() => table.add(segment)), addStates: (states) => within(() => table.addStates(states)) })
}

const tailOf = (sql: Sql): number => Number(sql.get('SELECT count(*) AS count FROM alert_tail')?.['count'])

function everyPage(sql: Sql, query: AlertConditions, sort: 'created_at' | '-created_at', between: () => void = () => {}): string[] {
  const { list } = alertTable(sql)
  const found: string[] = []
  let after: AlertPosition | null = null
  for (let more = true; more; between()) {
    const page = list(systemScope, { ...query, sort, after, limit: 701, preview: 0 })
    found.push(...page.items.map(({ uuid }) => uuid))
    const last = page.items.at(-1)
    if (last) after = { createdAt: last.createdAt, uuid: last.uuid }
    more = page.more
  }
  return found
}

function counted(sql: Sql, query: AlertConditions): number {
  const { tally } = alertTable(sql)
  let [matching, after]: [number, AlertPosition | null] = [0, null]
  do {
    const part = tally(systemScope, query, after, 900)
    matching += part.matching
    after = part.next
  } while (after)
  return matching
}

describe.each(['in the tail', 'partly sealed', 'sealed', 'sealed after a process died while it built'])('alerts whose words are %s', (state) => {
  const database = new DatabaseSync(':memory:')
  const sql = new Sql(database)
  beforeAll(() => {
    migrate(database)
    fill(sql)
    if (state === 'in the tail') return
    const first = sealingOf(database, sql)
    if (state === 'partly sealed') {
      while (tailOf(sql) === count) first.step()
      return
    }
    if (state !== 'sealed') for (let step = 0; step < 20; step += 1) first.step()
    const next = state === 'sealed' ? first : sealingOf(database, sql)
    while (next.step());
  })

  test('are where they should be', () => {
    const left = { 'in the tail': count, 'partly sealed': count - segmentSize }[state] ?? count - 2 * segmentSize
    expect(tailOf(sql)).toBe(left)
  })
  test.each(Object.entries(conditions))('are listed by %s, page by page, and counted', (_, query) => {
    const ascending = expected(query)
    expect(everyPage(sql, query, 'created_at')).toEqual(ascending)
    expect(everyPage(sql, query, '-created_at')).toEqual(ascending.toReversed())
    expect(counted(sql, query)).toBe(ascending.length)
  })
})

test('a list returns each alert once while segments are built between its pages', () => {
  const database = new DatabaseSync(':memory:')
  migrate(database)
  const sql = new Sql(database)
  fill(sql)
  const sealing = sealingOf(database, sql)
  const query = { words: ['even'] }
  const between = (): void => {
    for (let step = 0; step < 12; step += 1) sealing.step()
  }
  expect(everyPage(sql, query, '-created_at', between)).toEqual(expected(query).toReversed())
  expect(tailOf(sql)).toBe(count - 2 * segmentSize)
})

test('an alert that changes after its segment was built is found by what it is now, before and after the states are written again', () => {
  const database = new DatabaseSync(':memory:')
  migrate(database)
  const sql = new Sql(database)
  fill(sql)
  const sealing = sealingOf(database, sql)
  while (sealing.step());
  const movesOf = (): number => Number(sql.get('SELECT count(*) AS count FROM alert_moves')?.['count'])
  const asExpected = (): void => {
    for (const [status, parity] of [
      [15, 1],
      [0, 0],
    ] as const)
      expect(everyPage(sql, { words: ['odd'], statuses: [status], playbooks: ['later'] }, 'created_at')).toEqual(
        [...alerts.keys()]
          .filter((n) => parity === 1 && n % 2 === 1 && n < changed && !isFailed(n))
          .map((n) => alerts[n]!)
          .sort((a, b) => a.createdAt - b.createdAt || (a.uuid < b.uuid ? -1 : 1))
          .map(({ uuid }) => uuid),
      )
  }
  let changed = 0
  const change = (to: number): void => {
    changed = to
    sql.run(`UPDATE alert_states SET status = 15, investigator = 'later' WHERE id <= ? AND status <> 20`, to)
  }
  expect(movesOf()).toBe(0)
  change(50)
  expect(movesOf()).toBe(49)
  while (sealing.step());
  expect(movesOf()).toBe(49)
  asExpected()
  change(6_000)
  expect(movesOf()).toBeGreaterThan(5_900)
  asExpected()
  alertTable(sql).insert(systemScope, [alertAt(count), ...Array.from({ length: 256 }, (_, n) => alertAt(count + 1 + n))])
  while (sealing.step());
  expect(movesOf()).toBeLessThan(1_024)
  asExpected()
})

test('the states of many alerts that change while no new ones arrive are written again, too', () => {
  const database = new DatabaseSync(':memory:')
  migrate(database)
  const sql = new Sql(database)
  fill(sql)
  const sealing = sealingOf(database, sql)
  while (sealing.step());
  sql.run(`UPDATE alert_states SET status = 15, investigator = 'later' WHERE id <= 6000`)
  for (let step = 0; step < 300; step += 1) sealing.step()
  expect(Number(sql.get('SELECT count(*) AS count FROM alert_moves')?.['count'])).toBeLessThan(1_024)
})

test('a word and a status or playbook that never meet take no look at an alert', () => {
  const database = new DatabaseSync(':memory:')
  migrate(database)
  const sql = new Sql(database)
  fill(sql)
  sql.run(`UPDATE alert_states SET status = 15, investigator = 'ran' WHERE id % 2 = 1`)
  const sealing = sealingOf(database, sql)
  while (sealing.step());
  sql.run('DELETE FROM alert_tail')
  // If the search looked an alert up, it would fail: there is no such table.
  sql.run('ALTER TABLE alerts RENAME TO hidden_alerts')
  const { list } = alertTable(sql)
  const page = { sort: '-created_at', after: null, limit: 50, preview: 0 } as const
  for (const query of [{ statuses: [15] }, { playbooks: ['ran'] }, { statuses: [15], playbooks: ['ran'] }] as const)
    expect(list(systemScope, { ...page, words: ['odd'], ...query }).items).toEqual([])
  expect(() => list(systemScope, { ...page, words: ['even'], statuses: [15] })).toThrow('no such table')
})

test('a page that the next alerts fill takes no look at the index', () => {
  const database = new DatabaseSync(':memory:')
  migrate(database)
  const sql = new Sql(database)
  fill(sql)
  const sealing = sealingOf(database, sql)
  while (sealing.step());
  const { list } = alertTable(sql)
  const first = { after: null, limit: 30, preview: 0 } as const
  const newest = list(systemScope, { ...first, sort: '-created_at', statuses: [0], playbooks: ['seven'] })
  expect(newest.items.map(({ uuid }) => uuid)).toEqual(
    expected({ statuses: [0], playbooks: ['seven'] })
      .toReversed()
      .slice(0, 30),
  )
  // If the search looked at the index, it would fail: there is no such table.
  sql.run('DROP TABLE alert_segments')
  expect(list(systemScope, { ...first, sort: '-created_at', statuses: [0], playbooks: ['seven'] })).toEqual(newest)
  expect(newest.more).toBe(true)
  expect(() => list(systemScope, { ...first, sort: '-created_at', playbooks: ['nobody'] })).toThrow('no such table')
})

test('a segment that could not be stored is built again when more alerts have arrived', () => {
  const database = new DatabaseSync(':memory:')
  migrate(database)
  const sql = new Sql(database)
  const { insert } = alertTable(sql)
  insert(systemScope, alerts.slice(0, segmentSize))
  let stored = 0
  const failing = new Sealing(sql, {
    add: () => {
      stored += 1
      return false
    },
    addStates: () => false,
  })
  while (failing.step());
  while (failing.step());
  expect([stored, tailOf(sql)]).toEqual([1, segmentSize])
  insert(systemScope, alerts.slice(segmentSize, segmentSize + 300))
  while (failing.step());
  expect(stored).toBe(2)
})

test('alerts with very many words fill a segment sooner, so that building it takes bounded memory', () => {
  const database = new DatabaseSync(':memory:')
  migrate(database)
  const sql = new Sql(database)
  const large = alerts
    .slice(0, 300)
    .map((alert, n) => ({ ...alert, tokens: Array.from({ length: 512 }, (_, i) => `${'w'.repeat(50)}${n * 512 + i}`) }))
  alertTable(sql).insert(systemScope, large)
  const sealing = sealingOf(database, sql)
  while (sealing.step());
  expect(tailOf(sql)).toBeLessThan(300)
  expect(everyPage(sql, { words: [`${'w'.repeat(50)}51200`] }, 'created_at')).toEqual([large[100]!.uuid])
})

test('a store of the version before is migrated: its words are found', () => {
  const database = new DatabaseSync(':memory:')
  migrate(database, steps.slice(0, 2))
  const old = new Sql(database)
  for (const [n, { uuid, content, createdAt, tokens }] of alerts.slice(0, 20).entries()) {
    old.run(
      `INSERT INTO alerts (uuid, organization, organization_code, provider, provider_folded, numbered_as, sequence, alert_id, content, name, created_at, created_by)
       VALUES (?, 'o', 'O', 'p', 'p', 'O-P', ?, ?, ?, 'x', ?, 'p')`,
      uuid,
      n,
      `O-P-${n}`,
      content,
      createdAt,
    )
    old.run('INSERT INTO alert_states (id, status, retry_count, modified_at) VALUES (?, 0, 0, 0)', n + 1)
    old.run('INSERT INTO alert_words (rowid, words) VALUES (?, ?)', n + 1, n === 3 ? '' : tokens.join(' '))
  }
  migrate(database)
  const sql = new Sql(database)
  expect(everyPage(sql, { words: ['even', 'n00001'] }, 'created_at').sort()).toEqual([10, 12, 14, 16, 18].map((n) => String(alerts[n]!.uuid)).sort())
  expect(everyPage(sql, { words: ['gr'] }, 'created_at')).toEqual([alerts[5]!.uuid])
  expect(everyPage(sql, { providers: ['p'] }, 'created_at')).toHaveLength(20)
})
