import type { Binary, Collection, Filter } from 'mongodb'
import { type BoundedCache, boundedCache } from '../../../../caches/index.ts'
import type { AlertStatus, Millis } from '../../../../domain/index.ts'
import { type Bits, encodeStates, intersect, Page, positionsWith, termsOfState, type WantedStates } from '../../../words/index.ts'
import type { AlertDocument } from '../alert-documents.ts'
import type { StoredSegment } from '../word-segments.ts'

/**
 * Which alerts of a segment have which status and which playbook. The page says of an alert that has not ended only that, because its status
 * may change at any time. Only a retry changes an alert that has ended, and it counts the retry in the same write. So an alert is as its page
 * says, or the page has it as open, or its `retryCount` is another than `paged`.
 */
export interface StatesDocument {
  /** The `build` of the segment. */
  readonly _id: string
  /** Another one each time the page is written. */
  readonly version: string
  /** How many alerts had not ended. */
  readonly open: number
  readonly bytes: Binary
}

/** What a page of states is written from. */
export type AlertState = Pick<AlertDocument, '_id' | 'status' | 'investigator' | 'typeKey' | 'retryCount' | 'paged'>

export type NotedAlert = Pick<AlertDocument, '_id' | 'createdAt'>

export interface Noted {
  readonly alerts: readonly NotedAlert[]
  /** Whether these are all. */
  readonly complete: boolean
}

/** No status and no playbook has this term. */
const openTerm = '!open'
/** If more alerts are noted, a search does without pages of states. */
const mostNoted = 4_096
/** A page has about 4 KB. */
const mostCached = 4_000
/** So many versions come in one answer. They have a few dozen bytes each. */
const mostVersionsAtOnce = 100_000
/** Up to how many retries the index alone says whether an alert is noted. */
const retriesByIndex = 8

/** Alerts without a type are not investigated, so their status never changes. */
export function isOpen({ status, typeKey }: Pick<AlertState, 'status' | 'typeKey'>): boolean {
  return status < (15 satisfies AlertStatus) && typeKey !== null
}

/** @param states of the alerts of a segment, by position; undefined: the alert is not there, so no search finds it */
export function statesPage(states: readonly (AlertState | undefined)[]): Uint8Array {
  return encodeStates(states.map((state) => (!state ? [] : isOpen(state) ? [openTerm] : termsOfState(state.status, state.investigator))))
}

/**
 * Returns the alerts that were retried since their page was written, or that have no page and were retried. Oldest first.
 * @param from the earliest and the latest creation time that matters
 * @param most how many are read
 */
export async function notedAlerts(alerts: Collection<AlertDocument>, from: Millis, to: Millis, most: number): Promise<Noted> {
  const within = { createdAt: { $gte: from, $lte: to } }
  const retriedAgain = Array.from({ length: retriesByIndex }, (_, index) => ({ paged: index + 1, retryCount: { $gt: index + 1 }, ...within }))
  const branches: Filter<AlertDocument>[] = [
    { paged: { $exists: false }, retryCount: { $gt: 0 }, ...within },
    ...retriedAgain,
    { paged: { $gt: retriesByIndex }, retryCount: { $gt: 0 }, ...within },
  ]
  const found = await alerts
    .find({ $or: branches }, { projection: { createdAt: 1, paged: 1, retryCount: 1 }, hint: notedIndex, limit: most })
    .toArray()
  const noted = found.filter(({ paged, retryCount }) => paged !== retryCount)
  return {
    alerts: noted.sort((a, b) => a.createdAt - b.createdAt || (a._id < b._id ? -1 : 1)).map(({ _id, createdAt }) => ({ _id, createdAt })),
    complete: found.length < most,
  }
}

/** It has only alerts that were retried. */
const notedIndex = { paged: 1, retryCount: 1, createdAt: 1, _id: 1 } as const

interface StateCollections {
  readonly alerts: Collection<AlertDocument>
  readonly alertStates: Collection<StatesDocument>
}

interface Cached {
  readonly version: string
  readonly page: Page
}

/** The pages of states that one process has read. */
export class StateReader {
  readonly #alerts: Collection<AlertDocument>
  readonly #pages: Collection<StatesDocument>
  readonly #cache: BoundedCache<string, Cached> = boundedCache(mostCached)

  constructor({ alerts, alertStates }: StateCollections) {
    this.#alerts = alerts
    this.#pages = alertStates
  }

  /**
   * Begins a search for alerts with these states. Reads the noted alerts before the pages: whoever writes a page again then removes the
   * notes. Null if the search should do without pages.
   */
  async begin(wanted: WantedStates, from: Millis, to: Millis): Promise<StateSearch | null> {
    if (wanted.length === 0) return null
    const { alerts, complete } = await notedAlerts(this.#alerts, from, to, mostNoted)
    return complete ? new StateSearch(this, wanted, alerts) : null
  }

  /** Keeps those of the alerts that have the states, by a page that may be old. */
  async keepKnown({ build }: StoredSegment, wanted: WantedStates, bits: Bits): Promise<void> {
    if (wanted.length === 0) return
    const page = this.#cache.get(build)?.page ?? (await this.read(new Map([[build, '']]))).get(build)
    if (page) keep(page, bits, wanted)
  }

  /** Returns the versions of all pages. */
  async versions(): Promise<ReadonlyMap<string, string>> {
    const found = await this.#pages.find({}, { projection: { version: 1 }, batchSize: mostVersionsAtOnce }).toArray()
    return new Map(found.map(({ _id, version }) => [_id, version]))
  }

  /** Returns pages that have these versions, or later ones. */
  async read(versions: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, Page>> {
    const read = new Map<string, Page>()
    const missing: string[] = []
    for (const [build, version] of versions) {
      const cached = this.#cache.get(build)
      if (cached?.version === version) read.set(build, cached.page)
      else missing.push(build)
    }
    if (missing.length > 0) {
      for (const { _id, version, bytes } of await this.#pages.find({ _id: { $in: missing } }, { batchSize: missing.length + 1 }).toArray()) {
        const page = new Page(Uint8Array.from(bytes.value()))
        read.set(_id, page)
        this.#cache.set(_id, { version, page })
      }
    }
    return read
  }
}

/** Finds the alerts of segments that have a status or a playbook, for one search. */
export class StateSearch {
  readonly #reader: StateReader
  readonly #openToo: WantedStates
  /** May have the wanted states, whatever the pages say. Oldest first. */
  readonly noted: readonly NotedAlert[]
  #versions: Promise<ReadonlyMap<string, string>> | null = null
  readonly #pages = new Map<string, Page>()

  constructor(reader: StateReader, wanted: WantedStates, noted: readonly NotedAlert[]) {
    this.#reader = reader
    this.#openToo = wanted.map((terms) => [...terms, openTerm])
    this.noted = noted
  }

  /** Reads which pages there are. */
  begin(): Promise<ReadonlyMap<string, string>> {
    this.#versions ??= this.#reader.versions()
    return this.#versions
  }

  /** Reads the pages of these segments. Some may have none. */
  async load(segments: readonly StoredSegment[]): Promise<void> {
    const versions = await this.begin()
    const wanted = new Map(segments.flatMap(({ build }) => (versions.has(build) ? [[build, versions.get(build) ?? ''] as const] : [])))
    for (const [build, page] of await this.#reader.read(wanted)) this.#pages.set(build, page)
  }

  /**
   * Keeps those of the alerts that have the wanted states, or that may have them by now because they were open. Keeps all if the segment has
   * no page.
   */
  keep({ build }: StoredSegment, bits: Bits): void {
    const page = this.#pages.get(build)
    if (page) keep(page, bits, this.#openToo)
  }
}

function keep(page: Page, bits: Bits, wanted: WantedStates): void {
  for (const terms of wanted) intersect(bits, positionsWith(page, terms))
}
