import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  asId,
  type CasePosition,
  type CaseSort,
  type CaseUuid,
  casePosition,
  caseSorts,
  foldCase,
  type OrganizationId,
  saysAll,
  severities,
  systemScope,
} from '../../../../domain/index.ts'
import type { CaseQuery } from '../../../port/index.ts'
import { segmentSize } from '../../../words/index.ts'
import { migrate, steps } from '../../database/schema.ts'
import { Sql } from '../../database/sql.ts'
import { listCases } from '../case-list.ts'
import { CaseSealing, caseIndex, type SealedCases } from './sealing.ts'
import { CaseSegments } from './segments.ts'

interface Says {
  title: string
  summary: string | null
}

/** More than two segments, and a tail. */
const count = 2 * segmentSize + 700
const organizationOf = (n: number): OrganizationId => asId(n % 100 ? 'large' : 'small')
const uuidOf = (n: number): CaseUuid => asId<CaseUuid>(`${String((n * 7_919) % 1_000_003).padStart(7, '0')}`)
/** Times repeat, and go back now and then. */
const timeOf = (n: number): number => 1_000_000 + Math.floor(n / 4) - (n % 50 === 7 ? 300 : 0)
const edge = timeOf(segmentSize)

function saysAt(n: number): Says {
  return {
    title: `${n % 2 ? 'Odd' : 'EVEN'} sign-in of user${n % 97}@acme.example ${n % 3_000 === 5 ? 'rare Größe' : ''}`.trim(),
    summary: n % 4 === 3 ? null : n % 4 === 2 ? `Banana ${n % 7}🦊x` : 'nothing\twas found',
  }
}

const words: Readonly<Record<string, readonly string[]>> = {
  'a word of all': ['sign-in'],
  'a part of a word of all': ['GN-I'],
  'a word of half of them': ['even'],
  'two words that never meet': ['odd', 'even'],
  'two words that meet seldom': ['rare', 'ODD'],
  'a word of none': ['nowhere'],
  'a word whose grams all have, but none the word': ['bananana'],
  'a letter': ['r'],
  'a rare letter': ['ß'],
  'two letters': ['cm'],
  'the end of words': ['le'],
  'a number of one case': ['O-4711'],
  'digits in the middle': ['-47'],
  signs: ['@acme.'],
  'a sign': ['!'],
  'half a surrogate pair': ['\ud83e'],
  'another script': ['🦊x'],
  'folded letters': ['GRÖẞE'],
  'eight words': ['sign', 'in', 'of', 'user1', 'acme', 'example', 'nothing', 'found'],
  'a text with a space': ['nothing\twas'],
}

const others: Readonly<Record<string, Partial<CaseQuery>>> = {
  'a word, an organization': { words: ['odd'], organizations: [organizationOf(1)] },
  'a word, a small organization': { words: ['even'], organizations: [organizationOf(0)] },
  'a word, no organization': { words: ['even'], organizations: [] },
  'a word, a time': { words: ['even'], createdFrom: edge - 20, createdTo: edge + 20 },
  'a word, a severity': { words: ['banana'], severities: ['high'] },
}

const done = (_: unknown): true => true

describe('the index of what cases say', () => {
  let database: DatabaseSync
  let sql: Sql
  let segments: CaseSegments
  let says: Says[]

  const index = (): ReturnType<typeof caseIndex> => caseIndex(sql)
  const kept = {
    note: (upTo: Parameters<ReturnType<typeof caseIndex>['note']>[0]) => done(index().note(upTo)),
    add: (sealed: SealedCases) => done(index().add(sealed)),
  }
  /** Runs until there is no more to do, and once more as often as a store at rest does. */
  function seal(sealing = new CaseSealing(sql, segments, kept)): void {
    for (let step = 0; step < 600; step += 1) while (sealing.step());
  }

  function open(n: number, at = timeOf(n)): void {
    sql.run(
      `INSERT INTO cases (uuid, organization, number, case_id, alerts, title, severity, status, disposition, summary, created_at, modified_at)
       VALUES (?, ?, ?, ?, '[]', ?, ?, 'new', 'pending', ?, ?, ?)`,
      uuidOf(n),
      organizationOf(n),
      n,
      `O-${n}`,
      says[n]!.title,
      severities[n % 5]!,
      says[n]!.summary,
      at,
      at + (n % 11) * 40,
    )
  }

  function change(n: number, now: Partial<Says>): void {
    says[n] = { ...says[n]!, ...now }
    sql.run('UPDATE cases SET title = ?, summary = ? WHERE uuid = ?', says[n].title, says[n].summary, uuidOf(n))
  }

  function everyPage(query: Partial<CaseQuery>, sort: CaseSort, limit = 3_000): string[] {
    const found: string[] = []
    let after: CasePosition | null = null
    for (let more = true; more; ) {
      const page = listCases(sql, segments, systemScope, { ...query, sort, after, limit })
      found.push(...page.items.map(({ uuid }) => uuid))
      const last = page.items.at(-1)
      if (last) after = casePosition(last, sort)
      more = page.more
    }
    return found
  }

  function expected({ words: wanted = [], organizations, createdFrom = 0, createdTo = 9e15, severities: severe }: Partial<CaseQuery>): string[] {
    const folded = wanted.map(foldCase)
    return [...says.entries()]
      .filter(([n, { title, summary }]) => saysAll(folded, [`O-${n}`, title, summary ?? '']))
      .filter(([n]) => !organizations || organizations.includes(organizationOf(n)))
      .filter(([n]) => timeOf(n) >= createdFrom && timeOf(n) < createdTo)
      .filter(([n]) => !severe || severe.includes(severities[n % 5]!))
      .map(([n]) => uuidOf(n))
      .sort()
  }

  const all = [...Object.values(words).map((one) => ({ words: one })), ...Object.values(others)]
  /** Without those that many cases match, which take longer. */
  const some = all.filter(({ words: [word = ''] = [] }) => !['sign-in', 'GN-I', 'r', '@acme.', 'cm', 'le'].includes(word))

  function allAreFound(queries: readonly Partial<CaseQuery>[]): void {
    for (const query of queries) {
      const wanted = expected(query)
      const newest = everyPage(query, '-created_at')
      // As texts, because comparing long lists takes long.
      const name = JSON.stringify(query)
      expect(`${name} ${newest.toSorted().join(' ')}`).toBe(`${name} ${wanted.join(' ')}`)
      expect(`${name} ${everyPage(query, 'created_at').join(' ')}`).toBe(`${name} ${newest.toReversed().join(' ')}`)
    }
  }

  const segmentsNow = (): number => segments.all().length
  const noted = (): number => Number(sql.get('SELECT count(*) AS count FROM case_moves')?.['count'])

  beforeEach(() => {
    database = new DatabaseSync(':memory:')
    migrate(database)
    sql = new Sql(database)
    segments = new CaseSegments(sql)
    says = Array.from({ length: count }, (_, n) => saysAt(n))
    database.exec('BEGIN')
    for (let n = 0; n < count; n += 1) open(n)
    database.exec('COMMIT')
  })

  test('finds the same before there is a segment, with segments, and with each order', () => {
    allAreFound(some)
    seal()
    expect([segmentsNow(), noted()]).toEqual([2, 0])
    allAreFound(all)
    for (const sort of caseSorts)
      for (const wanted of [['rare'], ['banana', '6'], ['sign-in'], ['nowhere']])
        expect([sort, wanted, everyPage({ words: wanted }, sort, 77).sort()]).toEqual([sort, wanted, expected({ words: wanted })])
  })

  test('a page has its cases once, with any limit, and continues where the last one ended', () => {
    seal()
    for (const limit of [1, 2, 50]) expect(everyPage({ words: ['GRÖß'] }, '-created_at', limit).sort()).toEqual(expected({ words: ['GRÖß'] }))
  })

  test('a word that no case has takes no look at a case of a segment', () => {
    seal()
    const looked: string[] = []
    database.function('case_says', (_words, id, _title, _summary) => Number(looked.push(String(id)) < 0))
    expect(everyPage({ words: ['nowhere'] }, '-created_at')).toEqual([])
    // The tail, and the cases of the same millisecond before it.
    expect(looked.length).toBeLessThan(count - 2 * segmentSize + 8)
    expect(looked.length).toBeGreaterThanOrEqual(count - 2 * segmentSize)
  })

  test('cases that say something else are found by it, and no longer by what they said', () => {
    seal()
    for (const n of [0, 5, 17, segmentSize + 3, count - 1]) change(n, { title: 'Retitled MALWARE', summary: n % 2 ? null : 'zebra' })
    expect(noted()).toBe(4)
    expect(everyPage({ words: ['malware', 'zebra'] }, '-created_at').sort()).toEqual([uuidOf(0), ...(count % 2 ? [uuidOf(count - 1)] : [])].sort())
    allAreFound([{ words: ['malware'] }, { words: ['zebra'] }, { words: ['rare'] }, { words: ['odd'] }])
  })

  test('a change of anything else notes nothing', () => {
    seal()
    sql.run("UPDATE cases SET status = 'closed', title = title, summary = summary, assignee = 'Ann'")
    expect(noted()).toBe(0)
  })

  test('many changed cases get their segment built again, and cases that came late get into one', () => {
    seal()
    for (let n = 0; n < 3_000; n += 1) if (n % 50 !== 7 && n % 2 === 0) change(n, { summary: `zebra ${n}` })
    const late = count
    for (let n = late; n < late + 300; n += 1) says.push({ title: `late zebra ${n}`, summary: null })
    for (let n = late; n < late + 300; n += 1) open(n, timeOf(n - late + 900))
    const times = new Map(Array.from({ length: 300 }, (_, n) => [late + n, timeOf(n + 900)]))
    expect(times.size).toBe(300)
    expect(noted()).toBeGreaterThan(1_024)
    const check = (): void => allAreFound([{ words: ['zebra'] }, { words: ['late'] }, { words: ['banana'] }, { words: ['odd'] }])
    check()
    seal()
    // The segment had room for none of them, so that there are two in its place.
    expect([segmentsNow(), noted()]).toEqual([3, 0])
    expect(segments.all().map(({ size }) => size)).toEqual([segmentSize, 300, segmentSize])
    check()
  })

  test('what changes while a segment is built is found, if it was read before or later', () => {
    const sealing = new CaseSealing(sql, segments, kept)
    let steps = 0
    for (let more = true; more; steps += 1) {
      if (steps % 3 === 0) for (const n of [steps * 100, 4_000 - steps * 100]) if (n >= 0 && n < count) change(n, { title: `changed${steps}` })
      more = sealing.step()
    }
    expect(steps).toBeGreaterThan(30)
    for (let step = 0; step < steps; step += 3) allAreFound([{ words: [`changed${step}`] }])
    allAreFound(some.slice(0, 5))
  })

  test('what changes while a segment is built again is found', () => {
    seal()
    for (let n = 0; n < 2_400; n += 1) change(n, { summary: 'first' })
    const sealing = new CaseSealing(sql, segments, kept)
    while (!sealing.step());
    let steps = 0
    do {
      if (steps % 2 === 0) for (const n of [steps * 50, 2_399 - steps * 50]) if (n >= 0 && n < 2_400) change(n, { summary: `second${steps}` })
      steps += 1
    } while (sealing.step())
    expect(steps).toBeGreaterThan(20)
    expect(noted()).toBeGreaterThan(10)
    allAreFound([{ words: ['first'] }, { words: ['second'] }, ...[0, 4, 10, 16, 20].map((n) => ({ words: [`second${n}`] }))])
  })

  test('a process that dies at any point leaves everything to be found, and the next one goes on', () => {
    for (const dies of ['note', 'add'] as const) {
      const sealing = new CaseSealing(sql, segments, { ...kept, [dies]: () => false })
      for (let step = 0; step < 200; step += 1) sealing.step()
      change(11, { title: `after ${dies}` })
      expect(segmentsNow()).toBe(0)
      allAreFound([{ words: ['after'] }, { words: ['even'] }])
    }
    // Noted, although its segment was never added.
    expect(noted()).toBe(1)
    seal()
    expect([segmentsNow(), noted()]).toEqual([2, 0])
    allAreFound(some)
  })

  test('a case that says very much is found by all of it', () => {
    const much = Array.from({ length: 9_000 }, (_, n) => `w${(n * 7_919) % 100_003}x`).join(' ')
    change(100, { summary: `${much} needle` })
    seal()
    expect(segments.all()[0]?.always).toHaveLength(1)
    allAreFound([{ words: ['needle'] }, { words: ['w7919x', 'odd'] }, { words: ['w7919x', 'even'] }, { words: ['even', 'odd'] }])
    expect(everyPage({ words: ['needle'] }, '-modified_at')).toEqual([uuidOf(100)])
  })

  test('a copy of the database with other row ids finds the same', () => {
    seal()
    sql.run('UPDATE cases SET rowid = 1000000 - rowid')
    change(42, { title: 'moved' })
    allAreFound(some)
    allAreFound([{ words: ['moved'] }])
  })
})

test('a store of the version before gets its segments after the migration', () => {
  const database = new DatabaseSync(':memory:')
  migrate(database, steps.slice(0, -1))
  database.exec(`WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 5000)
    INSERT INTO cases (uuid, organization, number, case_id, alerts, title, severity, status, disposition, created_at, modified_at)
    SELECT printf('%07d', n), 'o', n, 'O-' || n, '[]', 'Old case ' || n, 'low', 'new', 'pending', n, n FROM n`)
  migrate(database)
  const sql = new Sql(database)
  const segments = new CaseSegments(sql)
  const found = (): unknown =>
    listCases(sql, segments, systemScope, { words: ['case', '4321'], after: null, limit: 9 }).items.map(({ caseId }) => caseId)
  expect(found()).toEqual(['O-4321'])
  const index = caseIndex(sql)
  const sealing = new CaseSealing(sql, segments, { note: (upTo) => done(index.note(upTo)), add: (sealed) => done(index.add(sealed)) })
  while (sealing.step());
  expect(segments.all()).toHaveLength(1)
  expect(found()).toEqual(['O-4321'])
})
