import { Binary } from 'mongodb'
import type { AlertUuid, Ids } from '../../../../domain/index.ts'
import { isDuplicate } from '../../client/index.ts'
import type { Collections } from '../../database/index.ts'
import { SegmentReader, type StoredSegment } from '../word-segments.ts'
import { type AlertState, isOpen, type NotedAlert, notedAlerts, type StatesDocument, statesPage } from './state-pages.ts'

/** How many alerts a search may look up in vain: noted ones, and such that are open by their page. Of each kind, in all segments. */
const mostInVain = 1_024
/** How many pages with open alerts are compared with these alerts at once. A long pause may leave open alerts in every segment. */
const comparedAtOnce = 8
/** How many noted alerts are looked at, to find the segment that has most of them. */
const mostLookedAt = 16_384
/** How many alerts are read at once. */
const readAtOnce = 512

type PageFacts = Pick<StatesDocument, '_id' | 'version' | 'open'>

/**
 * Writes the pages of states of segments (`StatesDocument`). Several processes may do it at once, and each may die between any two writes:
 *
 * 1. The version of the page is read, then the states of the alerts.
 * 2. The page is written only if it still has that version. So nobody replaces a page by one that was read earlier.
 * 3. Its retried alerts get `paged`, unless they were retried again. Until then, a search looks them up as well.
 */
export class StateWriter {
  readonly #collections: Collections
  readonly #ids: Ids
  readonly #segments: SegmentReader
  /** How many noted alerts were in the time range of a segment after this process had written its page. Those are of other segments. */
  readonly #remaining = new Map<string, number>()
  #compared = 0

  constructor(collections: Collections, ids: Ids) {
    this.#collections = collections
    this.#ids = ids
    this.#segments = new SegmentReader(collections)
  }

  /** Writes the page that needs it most. Returns whether it wrote one. */
  async write(): Promise<boolean> {
    const segments = await this.#segments.segments()
    const found = await this.#collections.alertStates.find<PageFacts>({}, { projection: { version: 1, open: 1 } }).toArray()
    const pages = new Map(found.map((page) => [page._id, page]))
    const without = segments.findLast(({ build }) => !pages.has(build))
    const due = without ?? (await this.#mostNoted(segments)) ?? (await this.#mostEnded(segments, pages))
    return due !== undefined && due !== null && this.#writePage(due, pages.get(due.build)?.version ?? null)
  }

  /** Returns the segment that has most noted alerts, if there are many of them. */
  async #mostNoted(segments: readonly StoredSegment[]): Promise<StoredSegment | null> {
    const noted = await this.#noted()
    const counts = segments.map((segment) => ({ segment, count: countIn(segment, noted) - (this.#remaining.get(segment.build) ?? 0) }))
    const gain = counts.reduce((sum, { count }) => sum + Math.max(0, count), 0)
    if (gain < mostInVain) return null
    return counts.reduce((most, one) => (one.count > most.count ? one : most)).segment
  }

  async #noted(): Promise<readonly NotedAlert[]> {
    return (await notedAlerts(this.#collections.alerts, 0, Number.MAX_SAFE_INTEGER, mostLookedAt)).alerts
  }

  /** Returns a segment many of whose open alerts have ended since, if the pages have many open ones. */
  async #mostEnded(segments: readonly StoredSegment[], pages: ReadonlyMap<string, PageFacts>): Promise<StoredSegment | null> {
    const openBy = ({ build }: StoredSegment): number => pages.get(build)?.open ?? 0
    const withOpen = segments.filter((segment) => openBy(segment) > 0)
    if (withOpen.reduce((sum, segment) => sum + openBy(segment), 0) < mostInVain) return null
    const count = Math.min(comparedAtOnce, withOpen.length)
    for (let step = 0; step < count; step += 1) {
      this.#compared += 1
      const segment = withOpen[this.#compared % withOpen.length]!
      const open = openBy(segment)
      // By the index of open alerts. Other segments may have some of these, so this is not too small.
      const still = await this.#collections.alerts.countDocuments(
        { status: { $lt: 15 }, typeKey: { $type: 'string' }, createdAt: { $gte: segment.first.createdAt, $lte: segment.last.createdAt } },
        { limit: open, hint: { createdAt: 1, _id: 1, organization: 1 } },
      )
      if (open - still >= open / 2) return segment
    }
    return null
  }

  async #writePage(segment: StoredSegment, version: string | null): Promise<boolean> {
    const states = await this.#statesOf(segment)
    const bytes = new Binary(statesPage(states))
    const open = states.filter((state) => state && isOpen(state)).length
    const { alertStates } = this.#collections
    const page = { version: this.#ids.uuid(), open, bytes }
    try {
      if (version === null) await alertStates.insertOne({ _id: segment.build, ...page })
      else if ((await alertStates.updateOne({ _id: segment.build, version }, { $set: page })).matchedCount === 0) return false
    } catch (error) {
      if (!isDuplicate(error)) throw error
      return false
    }
    await this.#markPaged(states)
    this.#remaining.set(segment.build, countIn(segment, await this.#noted()))
    return true
  }

  /** Returns the states of the alerts of a segment, by position. */
  async #statesOf(segment: StoredSegment): Promise<readonly (AlertState | undefined)[]> {
    const { alerts } = this.#collections
    const ids = await this.#segments.alerts(segment)
    const byId = new Map<AlertUuid, AlertState>()
    const projection = { status: 1, investigator: 1, typeKey: 1, retryCount: 1, paged: 1 }
    for (let from = 0; from < ids.length; from += readAtOnce) {
      const part = await alerts.find<AlertState>({ _id: { $in: ids.slice(from, from + readAtOnce) } }, { projection }).toArray()
      for (const state of part) byId.set(state._id, state)
    }
    return ids.map((id) => byId.get(id))
  }

  async #markPaged(states: readonly (AlertState | undefined)[]): Promise<void> {
    const byRetries = new Map<number, AlertUuid[]>()
    for (const state of states) {
      if (!state || state.retryCount === (state.paged ?? 0)) continue
      const ids = byRetries.get(state.retryCount)
      if (ids) ids.push(state._id)
      else byRetries.set(state.retryCount, [state._id])
    }
    for (const [retryCount, ids] of byRetries)
      await this.#collections.alerts.updateMany({ _id: { $in: ids }, retryCount }, { $set: { paged: retryCount } })
  }
}

/** Returns how many alerts were created between the first and the last of a segment. */
function countIn({ first, last }: StoredSegment, alerts: readonly NotedAlert[]): number {
  return alerts.filter(({ createdAt }) => createdAt >= first.createdAt && createdAt <= last.createdAt).length
}
