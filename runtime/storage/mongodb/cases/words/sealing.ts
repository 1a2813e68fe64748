import { setImmediate } from 'node:timers/promises'
import { type AnyBulkWriteOperation, Binary } from 'mongodb'
import type { CaseUuid, Clock, Ids } from '../../../../domain/index.ts'
import { type BuiltCases, CaseBuilder, segmentSize } from '../../../words/index.ts'
import { isDuplicate } from '../../client/index.ts'
import type { Collections, WorkReport } from '../../database/index.ts'
import { Background, pageId, splitIntoPages } from '../../words/index.ts'
import type { CaseDocument } from '../case-documents.ts'
import { readCases } from '../read-cases.ts'
import { notKnown, notKnownIndex } from './known.ts'
import { type CaseSegmentDocument, CaseSegments, lineOf, type Member, PageGone, type StoredCases } from './segments.ts'

export interface SealingLimits {
  /** How many cases a segment has at most. */
  readonly segment: number
  /** So many of the newest cases stay in no segment: most change once more, when their run ends. */
  readonly newest: number
  /** How many changed cases there may be before the segment that has most of them is built again. A search looks at each of them. */
  readonly changed: number
}

const usualLimits: SealingLimits = { segment: segmentSize, newest: 256, changed: 1_024 }
/** How much the number of cases grows before those in no segment are counted. */
const measureEvery = 256
/** At every so many looks, changed cases are counted. */
const changedEvery = 6
/** With more segments, there may be more, because each segment has a smaller part of them. */
const mostChangedOfSegment = 16
/** How many changed cases are looked at, to find the segment that has most of them. */
const mostLookedAt = 16_384
/** How many cases are read and marked at once. */
const [readAtOnce, markedAtOnce] = [128, 512]
/** How many characters are added between two pauses. */
const charactersAtOnce = 32_768
const pagesAtOnce = 128

const says = { createdAt: 1, organization: 1, caseId: 1, title: 1, summary: 1, revision: 1 } as const
type Says = Pick<CaseDocument, '_id' | 'createdAt' | 'organization' | 'caseId' | 'title' | 'summary' | 'revision'>
type SegmentFacts = Pick<CaseSegmentDocument, '_id' | 'place' | 'build' | 'marked'> & { readonly head: Pick<CaseSegmentDocument['head'], 'size'> }

interface Built {
  readonly segment: BuiltCases
  readonly members: readonly Member[]
}

/**
 * Builds segments of what cases say. Each step writes documents of one kind, and a process may die between any two:
 *
 * 1. The pages. Without their segment, nobody reads them. Whoever adds the segment of their number deletes them.
 * 2. The segment. Its number is unique, so of several processes that build one, one adds it. It may take the place of one with the same cases.
 * 3. Its cases become known, if they still have the revision that it was built from. Until then, a search looks at them as well. If the
 *    process died before that, whoever builds the next segment does it first.
 * 4. The segment whose place it took is deleted.
 */
export class CaseSealing {
  readonly #collections: Collections
  readonly #ids: Ids
  readonly #segments: CaseSegments
  readonly #work: Background
  readonly #limits: SealingLimits
  /** How many cases there were when only few were in no segment. */
  #measuredAt = Number.NEGATIVE_INFINITY
  #fewLeft = false
  #looks = 0

  constructor(collections: Collections, clock: Pick<Clock, 'now'>, ids: Ids, report: WorkReport, limits = usualLimits) {
    this.#collections = collections
    this.#ids = ids
    this.#limits = limits
    this.#segments = new CaseSegments(collections)
    this.#work = new Background(clock, report, () => this.#sealAll())
  }

  /** Starts to build what is due, unless that is under way. Nobody waits for it. What fails is reported, and done at a later call. */
  start(): void {
    this.#work.start()
  }

  /** Stops at the next step. Another process builds the segment. */
  stop(): Promise<void> {
    return this.#work.stop()
  }

  async #sealAll(): Promise<void> {
    const count = await this.#collections.cases.estimatedDocumentCount()
    if (Math.abs(count - this.#measuredAt) >= measureEvery) {
      while (!this.#work.stopped && (await this.sealNew()));
      // Otherwise another process builds them, and may die.
      this.#measuredAt = this.#fewLeft ? count : Number.NEGATIVE_INFINITY
    }
    if (this.#fewLeft && this.#looks % changedEvery === 0) while (!this.#work.stopped && (await this.sealChanged()));
    this.#looks += 1
  }

  /** Adds a segment of the oldest cases that are in none, if they are enough. Returns whether it added one. */
  async sealNew(): Promise<boolean> {
    const { segment, newest } = this.#limits
    const last = await this.#completed()
    const found = await this.#collections.cases
      .find({ ...notKnown, sealed: null } as object, { projection: { _id: 1 } })
      .sort({ createdAt: 1, _id: 1 })
      .hint(notKnownIndex)
      .limit(segment + newest)
      .toArray()
    this.#fewLeft = found.length < segment + newest
    if (this.#fewLeft) return false
    const built = await this.#build(found.slice(0, segment).map(({ _id }) => _id))
    return built !== null && this.#add(last + 1, last + 1, built)
  }

  /** Builds the segment again that has most of the changed cases, if there are many. Returns whether it did. */
  async sealChanged(): Promise<boolean> {
    const last = await this.#completed()
    const places = await this.#collections.cases
      .aggregate<{ readonly _id: number; readonly count: number }>(
        [
          { $match: { ...notKnown, sealed: { $gt: 0 } } },
          { $limit: mostLookedAt },
          { $group: { _id: '$sealed', count: { $sum: 1 } } },
          { $sort: { count: -1, _id: 1 } },
        ],
        { hint: notKnownIndex },
      )
      .toArray()
    const segments = await this.#segments.all()
    const most = segments.find(({ place }) => place === places[0]?._id)
    const due = Math.max(this.#limits.changed, segments.length * mostChangedOfSegment)
    if (!most || places.reduce((sum, { count }) => sum + count, 0) < due) return false
    const members = await this.#membersOf(most)
    const built =
      members &&
      (await this.#build(
        members.map(({ uuid }) => uuid),
        'all',
      ))
    return built !== null && this.#add(last + 1, most.place, built)
  }

  /** Returns the number of the last segment. Does first what a process that died has not done for it. */
  async #completed(): Promise<number> {
    const [last] = await this.#collections.caseSegments
      .find<SegmentFacts>({}, { projection: { place: 1, build: 1, marked: 1, 'head.size': 1 } })
      .sort({ _id: -1 })
      .limit(1)
      .toArray()
    if (last && !last.marked) await this.#complete(last)
    return last?._id ?? 0
  }

  /** Returns a segment of these cases, or of the first of them if they say much. Null if it was stopped. */
  async #build(uuids: readonly CaseUuid[], which: 'first' | 'all' = 'first'): Promise<Built | null> {
    const { cases } = this.#collections
    const builder = new CaseBuilder()
    const members: Member[] = []
    let added = 0
    for (let from = 0; from < uuids.length && (which === 'all' || !builder.isFull); from += readAtOnce) {
      for (const { _id, createdAt, organization, caseId, title, summary, revision } of await readCases<Says>(
        cases,
        uuids.slice(from, from + readAtOnce),
        says,
      )) {
        if (which === 'first' && builder.isFull) break
        builder.add({ createdAt, uuid: _id }, organization, [caseId, title, summary ?? ''])
        members.push({ uuid: _id, revision: revision ?? null })
        added += title.length + (summary?.length ?? 0)
        if (added < charactersAtOnce) continue
        added = 0
        await setImmediate()
      }
      if (this.#work.stopped) return null
    }
    const segment = await this.#work.steps(builder.build())
    return segment && { segment, members }
  }

  /** Returns the cases of a segment. Null: another process has completed it, and replaced it. */
  async #membersOf(segment: Pick<StoredCases, 'build' | 'size'>): Promise<readonly Member[] | null> {
    try {
      return await this.#segments.members(segment)
    } catch (error) {
      if (!(error instanceof PageGone)) throw error
      this.#segments.forget()
      return null
    }
  }

  /** Adds a segment. Returns false if another process was faster, or if it was stopped. */
  async #add(number: number, place: number, { segment, members }: Built): Promise<boolean> {
    const { caseSegments, casePages } = this.#collections
    const build = this.#ids.uuid()
    const { pages: page, summaries: summary, frequent, frequentPages: frequentPage, head, always } = segment
    const kinds = { page, summary, frequent: [frequent], frequentPage, ids: splitIntoPages(members.map(lineOf)) }
    const documents = Object.entries(kinds).flatMap(([kind, pages]) =>
      pages.map((bytes, index) => ({ _id: pageId(build, kind, index), segment: number, bytes: new Binary(bytes) })),
    )
    for (let from = 0; from < documents.length; from += pagesAtOnce) {
      await casePages.insertMany(documents.slice(from, from + pagesAtOnce))
      if (this.#work.stopped) return false
    }
    try {
      await caseSegments.insertOne({ _id: number, place, build, head, always, marked: false })
    } catch (error) {
      if (!isDuplicate(error)) throw error
      await casePages.deleteMany({ segment: number, _id: { $regex: `^${build} ` } })
      return false
    }
    await this.#complete({ _id: number, place, build, head })
    return true
  }

  /** Makes the cases of a segment known, and deletes what it replaces. Several processes may do this at once. */
  async #complete({ _id, place, build, head: { size } }: Omit<SegmentFacts, 'marked'>): Promise<void> {
    const { cases, caseSegments, casePages } = this.#collections
    const members = await this.#membersOf({ build, size })
    if (!members) return
    for (let from = 0; from < members.length; from += markedAtOnce)
      await cases.bulkWrite(marks(members.slice(from, from + markedAtOnce), place), { ordered: false })
    await casePages.deleteMany({ segment: _id, _id: { $not: { $regex: `^${build} ` } } })
    const replaced = await caseSegments.find({ place, _id: { $lt: _id } }, { projection: { _id: 1 } }).toArray()
    const numbers = replaced.map((one) => one._id)
    if (numbers.length > 0) {
      await casePages.deleteMany({ segment: { $in: numbers } })
      await caseSegments.deleteMany({ _id: { $in: numbers } })
    }
    await caseSegments.updateOne({ _id }, { $set: { marked: true } })
  }
}

/**
 * Returns the writes that make these cases known, if they still have the revision that the segment was built from. The others belong to the
 * segment too, but a search looks at them until it is built again.
 */
function marks(members: readonly Member[], place: number): AnyBulkWriteOperation<CaseDocument>[] {
  const known = [...Map.groupBy(members, ({ revision }) => revision)].map(([revision, some]) => ({
    updateMany: {
      filter: { _id: { $in: some.map(({ uuid }) => uuid) }, revision, ...notKnown } as object,
      update: [{ $set: { modifiedAt: { $toLong: '$modifiedAt' }, sealed: place } }],
      hint: { _id: 1 },
    },
  }))
  const others = { _id: { $in: members.map(({ uuid }) => uuid) }, sealed: null } as object
  return [...known, { updateMany: { filter: others, update: { $set: { sealed: place } }, hint: { _id: 1 } } }]
}
