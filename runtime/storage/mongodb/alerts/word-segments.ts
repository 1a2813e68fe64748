import type { Binary, Collection } from 'mongodb'
import { type BoundedCache, boundedCache } from '../../../caches/index.ts'
import type { AlertUuid } from '../../../domain/index.ts'
import { type BuiltSegment, neededFor, Page, type Pages, type SegmentHead, type Wanted } from '../../words/index.ts'

/** A segment of the index of words (runtime/storage/words). Its number says in which order segments were added. */
export interface SegmentDocument {
  readonly _id: number
  /** Its pages begin with this. Two processes may build the segment of one number, but only one adds it. */
  readonly build: string
  readonly head: BuiltSegment['head']
  /** The blocks whose alerts it has. */
  readonly blocks: readonly string[]
  /** Whether these blocks are deleted. */
  readonly cleaned: boolean
}

export interface PageDocument {
  readonly _id: string
  readonly segment: number
  readonly bytes: Binary
}

interface SegmentCollections {
  readonly alertSegments: Collection<SegmentDocument>
  readonly alertPages: Collection<PageDocument>
}

type Kind = 'page' | 'summary' | 'ids'

export interface StoredSegment extends SegmentHead {
  readonly build: string
}

const idsInPage = 128
/** A page has about 2 KB. */
const mostCached = 4_000
/** How many calls of `known` may get the same segments. */
const lookAgain = 64

export function pageId(build: string, kind: Kind, index: number): string {
  return `${build} ${kind} ${index}`
}

/** Returns the pages and summaries that a search may read of a segment. */
export function pageIdsFor(segment: StoredSegment, wanted: Wanted): readonly string[] {
  const { pages, summaries } = neededFor(segment, wanted)
  const idsOf = (kind: Kind, indexes: ReadonlySet<number>) => [...indexes].map((index) => pageId(segment.build, kind, index))
  return [...idsOf('page', pages), ...idsOf('summary', summaries)]
}

/** Splits the ids of a segment's alerts into pages. */
export function idPages(ids: readonly string[]): Uint8Array[] {
  return Array.from({ length: Math.ceil(ids.length / idsInPage) }, (_, index) =>
    Buffer.from(ids.slice(index * idsInPage, (index + 1) * idsInPage).join('\n')),
  )
}

export function idPageOf(position: number): number {
  return Math.floor(position / idsInPage)
}

/** The segments and the pages that one process has read. They never change. */
export class SegmentReader {
  readonly #segments: Collection<SegmentDocument>
  readonly #pages: Collection<PageDocument>
  readonly #known: StoredSegment[] = []
  readonly #cache: BoundedCache<string, Uint8Array> = boundedCache(mostCached)
  #glances = 0

  constructor({ alertSegments, alertPages }: SegmentCollections) {
    this.#segments = alertSegments
    this.#pages = alertPages
  }

  /** Returns the segments that there were at one of the last calls. */
  async known(): Promise<readonly StoredSegment[]> {
    this.#glances += 1
    return this.#known.length > 0 && this.#glances % lookAgain !== 0 ? [...this.#known] : this.segments()
  }

  /** Returns the segments that there are now. */
  async segments(): Promise<readonly StoredSegment[]> {
    const newest = this.#known.at(-1)?.segment ?? 0
    const found = await this.#segments
      .find({ _id: { $gt: newest } }, { projection: { blocks: 0 } })
      .sort({ _id: 1 })
      .toArray()
    // Another call may have added them meanwhile.
    for (const { _id, build, head } of found) if (_id > (this.#known.at(-1)?.segment ?? 0)) this.#known.push({ ...head, segment: _id, build })
    return [...this.#known]
  }

  /** Returns the alerts of a segment, by position. */
  async alerts({ build, size }: StoredSegment): Promise<readonly AlertUuid[]> {
    const ids = Array.from({ length: Math.ceil(size / idsInPage) }, (_, index) => pageId(build, 'ids', index))
    const read = new Map((await this.#pages.find({ _id: { $in: ids } }).toArray()).map(({ _id, bytes }) => [_id, bytes.value()]))
    const alerts = ids.flatMap(
      (id) =>
        Buffer.from(read.get(id) ?? [])
          .toString()
          .split('\n') as AlertUuid[],
    )
    if (alerts.length !== size) throw new Error(`The segment ${build} of the index of words has ${size} alerts, but its pages have ${alerts.length}.`)
    return alerts
  }

  /** Reads many pages at once. */
  async read(ids: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    const read = new Map<string, Uint8Array>()
    const missing: string[] = []
    for (const id of new Set(ids)) {
      const cached = this.#cache.get(id)
      if (cached) read.set(id, cached)
      else missing.push(id)
    }
    if (missing.length > 0) {
      for (const { _id, bytes } of await this.#pages.find({ _id: { $in: missing } }).toArray()) {
        const value = Uint8Array.from(bytes.value())
        read.set(_id, value)
        this.#cache.set(_id, value)
      }
    }
    return read
  }
}

/** Returns the pages of a segment among those that were read. */
export function pagesAmong(read: ReadonlyMap<string, Uint8Array>, { build }: StoredSegment): Pages {
  const get = (kind: Kind, index: number): Page => {
    const bytes = read.get(pageId(build, kind, index))
    if (!bytes) throw new Error(`The page ${pageId(build, kind, index)} of the index of words is missing.`)
    return new Page(bytes)
  }
  return { page: (index) => get('page', index), summary: (group) => get('summary', group) }
}

/** Returns the alert at a position of a segment, from pages that were read. */
export function idsAmong(read: ReadonlyMap<string, Uint8Array>, { build }: StoredSegment): (position: number) => AlertUuid {
  const split = new Map<number, readonly string[]>()
  return (position) => {
    const index = idPageOf(position)
    const ids =
      split.get(index) ??
      Buffer.from(read.get(pageId(build, 'ids', index)) ?? [])
        .toString()
        .split('\n')
    split.set(index, ids)
    return ids[position % idsInPage] as AlertUuid
  }
}
