import { setImmediate } from 'node:timers/promises'
import { Binary } from 'mongodb'
import type { Clock, Ids, Millis } from '../../../domain/index.ts'
import { propertyTerm, SegmentBuilder, segmentSize } from '../../words/index.ts'
import { isDuplicate } from '../client/index.ts'
import type { Collections, WorkReport } from '../database/index.ts'
import { Background, splitIntoPages } from '../words/index.ts'
import type { AlertDocument } from './alert-documents.ts'
import { type SettledBlock, SettledBlocks } from './settled-blocks.ts'
import { StateWriter } from './states/index.ts'
import { pageId, type SegmentDocument } from './word-segments.ts'

/**
 * How long a process must have seen a block before its alerts go to a segment. Alerts of the block that are inserted later get another
 * block (`LateWords`). Only durations count here, so the clocks of processes need not agree.
 */
const settledAfter: Millis = 15_000
/** How many characters of words a segment has at most, so that building it takes little memory. One group of blocks may have more. */
const mostCharacters = 4 * 1024 * 1024
/** So many alerts are read at once, or fewer. Each has up to 32 KB of words. */
const alertsReadAtOnce = 128
/** So many words are added between two pauses: one or two milliseconds. An alert has up to 512. */
const wordsAtOnce = 4_096
const pagesAtOnce = 128

type Member = Pick<AlertDocument, '_id' | 'createdAt' | 'words' | 'organization' | 'providerFolded' | 'typeKey'>

/**
 * Builds segments from the blocks of words, and deletes these blocks. Each step writes documents of one kind, and a process may die between
 * any two:
 *
 * 1. The pages. Without their segment, nobody reads them. Whoever adds the segment of their number deletes them.
 * 2. The segment. Its number is unique, so of several processes that build one, one adds it. From here on its alerts are both in the segment
 *    and in blocks. A search lists them once.
 * 3. The blocks are deleted, and the pages of others. If the process died before that, whoever builds the next segment does it first.
 */
export class Sealing {
  readonly #collections: Collections
  readonly #clock: Clock
  readonly #ids: Ids
  readonly #work: Background
  readonly #blocks: SettledBlocks
  readonly #states: StateWriter
  /** Since when this process has seen blocks. */
  #seen = new Map<string, Millis>()

  /** @param segment how many alerts a segment has at most */
  constructor(collections: Collections, clock: Clock, ids: Ids, report: WorkReport, segment = segmentSize) {
    this.#collections = collections
    this.#clock = clock
    this.#ids = ids
    this.#work = new Background(clock, report, () => this.#sealAll())
    this.#blocks = new SettledBlocks(collections, segment)
    this.#states = new StateWriter(collections, ids)
  }

  /** Starts to build what is due, unless that is under way. Nobody waits for it. What fails is reported, and done at a later call. */
  start(): void {
    this.#work.start()
  }

  /** Resolves when nothing is under way. */
  idle(): Promise<void> {
    return this.#work.idle()
  }

  /** Stops at the next step. Another process builds the segment from its blocks, and deletes its pages. */
  stop(): Promise<void> {
    return this.#work.stop()
  }

  async #sealAll(): Promise<void> {
    while (!this.#work.stopped && (await this.seal((blocks) => this.#settled(blocks))));
    while (!this.#work.stopped && (await this.#states.write()));
  }

  /** Returns the blocks that this process has seen for long enough. */
  #settled(blocks: readonly string[]): readonly string[] {
    const now = this.#clock.now()
    this.#seen = new Map(blocks.map((id) => [id, Math.min(this.#seen.get(id) ?? now, now)]))
    return blocks.filter((id) => now - (this.#seen.get(id) ?? now) >= settledAfter)
  }

  /**
   * Builds one segment from the first blocks, if they have enough alerts. Returns whether it added one.
   * @param settled returns those blocks into which no alert will be inserted any more
   */
  async seal(settled: (blocks: readonly string[]) => readonly string[]): Promise<boolean> {
    const { alertSegments, alertPages } = this.#collections
    const [last] = await alertSegments
      .find({}, { projection: { build: 1, blocks: 1, cleaned: 1 } })
      .sort({ _id: -1 })
      .limit(1)
      .toArray()
    if (last && !last.cleaned) await this.#clean(last)
    // Read the blocks after the last segment. If another process takes them from here on, it takes the next number too.
    const blocks = await this.#blocks.ofNextSegment(settled)
    const taken = await this.#take(blocks)
    if (!taken) return false
    const members = [...taken.members].sort((a, b) => a.createdAt - b.createdAt || (a._id < b._id ? -1 : 1))
    const segment = (last?._id ?? 0) + 1
    const build = this.#ids.uuid()
    const head = await this.#writePages(segment, build, members)
    if (!head) return false
    try {
      await alertSegments.insertOne({ _id: segment, build, head, blocks: taken.blocks, cleaned: false })
    } catch (error) {
      if (!isDuplicate(error)) throw error
      await alertPages.deleteMany({ segment, _id: { $regex: `^${build} ` } })
      return false
    }
    await this.#clean({ _id: segment, build, blocks: taken.blocks })
    return true
  }

  /** Deletes the blocks of a segment, and the pages that other processes wrote for its number. */
  async #clean({ _id: segment, build, blocks }: Pick<SegmentDocument, '_id' | 'build' | 'blocks'>): Promise<void> {
    const { alertPages, alertSegments, alertWords } = this.#collections
    await alertWords.deleteMany({ _id: { $in: [...blocks] } })
    await alertPages.deleteMany({ segment, _id: { $not: { $regex: `^${build} ` } } })
    await alertSegments.updateOne({ _id: segment }, { $set: { cleaned: true } })
  }

  /** Reads the alerts of these blocks, or of the first of them if their words are long. Returns null if they have none, or if it was stopped. */
  async #take(blocks: readonly SettledBlock[]): Promise<{ readonly blocks: readonly string[]; readonly members: readonly Member[] } | null> {
    const { alerts } = this.#collections
    const projection = { createdAt: 1, words: 1, organization: 1, providerFolded: 1, typeKey: 1 }
    const members: Member[] = []
    let [from, characters] = [0, 0]
    while (from < blocks.length && characters < mostCharacters) {
      let [to, count] = [from, 0]
      for (; to < blocks.length && (to === from || count + blocks[to]!.alerts <= alertsReadAtOnce); to += 1) count += blocks[to]!.alerts
      const ids = blocks.slice(from, to).map(({ id }) => id)
      // Alerts without a number will get another block.
      const found = await alerts.find<Member>({ block: { $in: ids }, sequence: { $gt: 0 } }, { projection }).toArray()
      members.push(...found)
      if (this.#work.stopped) return null
      characters += found.reduce((sum, { words }) => sum + words.length, 0)
      from = to
    }
    // Since they were counted, the alerts may all have got other blocks.
    if (members.length === 0) {
      this.#blocks.forget(blocks)
      return null
    }
    return { blocks: blocks.slice(0, from).map(({ id }) => id), members }
  }

  /** Returns the head of the segment, or null if it was stopped. */
  async #writePages(segment: number, build: string, members: readonly Member[]) {
    const builder = new SegmentBuilder()
    let added = 0
    for (const { _id, createdAt, words, organization, providerFolded, typeKey } of members) {
      const terms = words.split(' ').filter(Boolean)
      terms.push(propertyTerm('organization', organization), propertyTerm('provider', providerFolded))
      if (typeKey !== null) terms.push(propertyTerm('type', typeKey))
      builder.add({ createdAt, uuid: _id }, terms)
      added += terms.length
      if (added < wordsAtOnce) continue
      added = 0
      await setImmediate()
      if (this.#work.stopped) return null
    }
    const built = await this.#work.steps(builder.build())
    if (!built) return null
    const { head, pages, summaries } = built
    const kinds = { page: pages, summary: summaries, ids: splitIntoPages(members.map(({ _id }) => _id)) } as const
    const documents = (['page', 'summary', 'ids'] as const).flatMap((kind) =>
      kinds[kind].map((bytes, index) => ({ _id: pageId(build, kind, index), segment, bytes: new Binary(bytes) })),
    )
    for (let from = 0; from < documents.length; from += pagesAtOnce) {
      await this.#collections.alertPages.insertMany(documents.slice(from, from + pagesAtOnce))
      if (this.#work.stopped) return null
    }
    return head
  }
}
