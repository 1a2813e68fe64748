import { randomUUID } from 'node:crypto'
import { systemClock, systemIds } from '../../../runtime/config/seams.ts'
import {
  asId,
  type CasePosition,
  type CaseSort,
  type CaseUuid,
  type Clock,
  casePosition,
  foldCase,
  type OrganizationId,
  saysAll,
  severities,
  systemScope,
} from '../../../runtime/domain/index.ts'
import type { CaseQuery, CaseStore } from '../../../runtime/storage/index.ts'
import { assemble } from '../../../runtime/storage/mongodb/assemble.ts'
import type { CaseDocument } from '../../../runtime/storage/mongodb/cases/case-documents.ts'
import { CaseSealing, type SealingLimits } from '../../../runtime/storage/mongodb/cases/words/sealing.ts'
import { type Connected, connect } from '../../../runtime/storage/mongodb/client/connect.ts'
import { type Collections, collectionsOf } from '../../../runtime/storage/mongodb/database/collections.ts'
import { migrate } from '../../../runtime/storage/mongodb/database/indexes.ts'
import { WorkReport } from '../../../runtime/storage/mongodb/database/work-report.ts'

export interface Says {
  readonly title: string
  readonly summary: string | null
}

const organizationOf = (n: number): OrganizationId => asId(n % 100 ? 'large' : 'small')
export const uuidOf = (n: number): CaseUuid => asId<CaseUuid>(String((n * 7_919) % 1_000_003).padStart(7, '0'))
/** Times repeat, and go back now and then. */
export const timeOf = (n: number): number => 1_795_000_000_000 + Math.floor(n / 4) - (n % 50 === 7 ? 300 : 0)

function saysAt(n: number): Says {
  return {
    title: `${n % 2 ? 'Odd' : 'EVEN'} sign-in of user${n % 97}@acme.example ${n % 3_000 === 5 ? 'rare Größe' : ''}`.trim(),
    summary: n % 4 === 3 ? null : n % 4 === 2 ? `Banana ${n % 7}🦊x` : 'nothing\twas found',
  }
}

const silent = new WorkReport(() => {}, { fails: '', succeeds: '' })

/** Many cases in MongoDB, and what they should say. Lists are compared with it. */
export class SaidCases {
  readonly opened: Connected
  readonly collections: Collections
  store: CaseStore
  readonly count: number
  readonly #limits: SealingLimits | undefined
  /** Cases that came later than others that are newer, by number, with their times. */
  readonly late = new Map<number, number>()
  says: Says[]

  private constructor(opened: Connected, count: number, limits?: SealingLimits) {
    this.#limits = limits
    this.opened = opened
    this.collections = collectionsOf(opened.database)
    this.store = this.another()
    this.count = count
    this.says = Array.from({ length: count }, (_, n) => saysAt(n))
  }

  /** @param limits absent: those that Tocsin has */
  static async fill(url: string, count: number, limits?: SealingLimits): Promise<SaidCases> {
    const opened = await connect(url, `said-${randomUUID()}`)
    await migrate(opened.database, systemClock)
    const said = new SaidCases(opened, count, limits)
    await said.open(Array.from({ length: count }, (_, n) => n))
    return said
  }

  async close(): Promise<void> {
    await this.opened.database.dropDatabase()
    await this.opened.client.close()
  }

  at(n: number): number {
    return this.late.get(n) ?? timeOf(n)
  }

  /** Inserts cases as a claim does. */
  async open(which: readonly number[]): Promise<void> {
    const documents = which.map((n): CaseDocument => {
      const [uuid, at] = [uuidOf(n), this.at(n)]
      const names = { _id: uuid, organization: organizationOf(n), number: n, caseId: `O-${n}`, alert: asId<never>(`a${n}`), alerts: [] }
      const state = { severity: severities[n % 5]!, status: 'new', disposition: n % 10 ? 'pending' : 'malicious', assignee: null } as CaseDocument
      return { ...state, ...names, ...this.says[n]!, createdAt: at, modifiedAt: at + (n % 11) * 40, recent: [] }
    })
    for (let from = 0; from < documents.length; from += 2_000) await this.collections.cases.insertMany(documents.slice(from, from + 2_000))
  }

  /** Changes cases as every version of Tocsin does, also one that does not know of the index: in one write each. */
  async change(now: Partial<Says>, ...which: readonly number[]): Promise<void> {
    for (const n of which) this.says[n] = { ...this.says[n]!, ...now }
    await this.#write(which)
  }

  async #write(which: readonly number[]): Promise<void> {
    const writes = which.map((n) => ({
      updateOne: { filter: { _id: uuidOf(n) }, update: { $set: { ...this.says[n]!, modifiedAt: timeOf(n) + 5_000 }, $inc: { revision: 1 } } },
    }))
    for (let from = 0; from < writes.length; from += 1_000) await this.collections.cases.bulkWrite(writes.slice(from, from + 1_000))
  }

  /** Makes everything as it was after `fill`. */
  async reset(): Promise<void> {
    const { cases, caseSegments, casePages } = this.collections
    await cases.deleteMany({ number: { $gte: this.count } })
    const changed = [...this.says.keys()].filter(
      (n) => n < this.count && (this.says[n]!.title !== saysAt(n).title || this.says[n]!.summary !== saysAt(n).summary),
    )
    this.says = this.says.slice(0, this.count)
    this.late.clear()
    for (const n of changed) this.says[n] = saysAt(n)
    await this.#write(changed)
    await cases.updateMany({}, [{ $set: { modifiedAt: { $toDouble: '$modifiedAt' } } }, { $unset: 'sealed' }])
    await caseSegments.deleteMany({})
    await casePages.deleteMany({})
    // The numbers of segments begin again, which no running process has to expect.
    this.store = this.another()
  }

  sealing(over: Partial<Collections> = {}, clock: Pick<Clock, 'now'> = systemClock): CaseSealing {
    return new CaseSealing({ ...this.collections, ...over }, clock, systemIds, silent, this.#limits)
  }

  /** Builds all segments that are due. */
  async seal(sealing = this.sealing()): Promise<void> {
    while (await sealing.sealNew());
    while (await sealing.sealChanged());
  }

  /** A store in another process, which has read nothing yet. */
  another(over: Partial<Collections> = {}): CaseStore {
    return assemble({ ...this.collections, ...over } as Collections, systemClock, systemIds).aggregates.cases
  }

  segments(): Promise<number> {
    return this.collections.caseSegments.countDocuments()
  }

  /** Returns how many cases are in no segment, and how many say something else than theirs, or may do so. */
  async notKnown(): Promise<readonly [fresh: number, changed: number]> {
    const long = { modifiedAt: { $not: { $type: 'long' } } } as object
    const [fresh, all] = await Promise.all([
      this.collections.cases.countDocuments({ ...long, sealed: { $exists: false } }),
      this.collections.cases.countDocuments(long),
    ])
    return [fresh, all - fresh]
  }

  async everyPage(query: Partial<CaseQuery>, sort: CaseSort, limit = 3_000, store = this.store): Promise<string[]> {
    const found: string[] = []
    let after: CasePosition | null = null
    for (let more = true; more; ) {
      const page = await store.list(systemScope, { ...query, sort, after, limit })
      found.push(...page.items.map(({ uuid }) => uuid))
      const last = page.items.at(-1)
      if (last) after = casePosition(last, sort)
      more = page.more
    }
    return found
  }

  expected({ words = [], organizations, createdFrom = 0, createdTo = 9e15, severities: severe, dispositions }: Partial<CaseQuery>): string[] {
    const folded = words.map(foldCase)
    return [...this.says.entries()]
      .filter(([n, { title, summary }]) => saysAll(folded, [`O-${n}`, title, summary ?? '']))
      .filter(([n]) => !organizations || organizations.includes(organizationOf(n)))
      .filter(([n]) => this.at(n) >= createdFrom && this.at(n) < createdTo)
      .filter(([n]) => !severe || severe.includes(severities[n % 5]!))
      .filter(([n]) => !dispositions || dispositions.includes(n % 10 ? 'pending' : 'malicious'))
      .map(([n]) => uuidOf(n))
      .sort()
  }

  /** Returns what a query misses, or finds too much, or more than once, in both orders of creation. Empty: it is right. */
  async wrongIn(queries: readonly Partial<CaseQuery>[], store = this.store): Promise<readonly object[]> {
    const wrong: object[] = []
    for (const query of queries) {
      const newest = await this.everyPage(query, '-created_at', 3_000, store)
      const oldest = await this.everyPage(query, 'created_at', 3_000, store)
      const [found, wanted] = [newest.toSorted().join(' '), this.expected(query).join(' ')]
      if (found !== wanted) wrong.push({ query, found: found.slice(0, 200), wanted: wanted.slice(0, 200) })
      if (oldest.toReversed().join(' ') !== newest.join(' ')) wrong.push({ query, order: 'the orders differ' })
    }
    return wrong
  }
}
