import type { Collection } from 'mongodb'
import type { AlertUuid } from '../../../domain/index.ts'
import { type BuiltSegment, neededFor, Page, type Pages, type SegmentHead, type Wanted } from '../../words/index.ts'
import { type PageDocument, PageReader, pageId as pageIdOf, unitsInPage } from '../words/index.ts'

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

interface SegmentCollections {
  readonly alertSegments: Collection<SegmentDocument>
  readonly alertPages: Collection<PageDocument>
}

type Kind = 'page' | 'summary' | 'ids'

export interface StoredSegment extends SegmentHead {
  readonly build: string
}

/** How many characters a UUID has. */
const lengthOfId = 36
/** So many segments come in one answer. They have about 7 KB each. */
const mostAtOnce = 2_000
/** How many calls of `known` may get the same segments. */
const lookAgain = 64

export function pageId(build: string, kind: Kind, index: number): string {
  return pageIdOf(build, kind, index)
}

/** Returns the pages and summaries that a search for these terms may read of a segment. */
export function pageIdsFor(segment: StoredSegment, terms: Wanted['terms']): readonly string[] {
  const { pages, summaries } = neededFor(segment, terms)
  const idsOf = (kind: Kind, indexes: ReadonlySet<number>) => [...indexes].map((index) => pageId(segment.build, kind, index))
  return [...idsOf('page', pages), ...idsOf('summary', summaries)]
}

export function idPageOf(position: number): number {
  return Math.floor(position / unitsInPage)
}

/** The segments and the pages that one process has read. They never change. */
export class SegmentReader {
  readonly #segments: Collection<SegmentDocument>
  readonly #pages: Collection<PageDocument>
  readonly #reader: PageReader
  readonly #known: StoredSegment[] = []
  #glances = 0

  constructor({ alertSegments, alertPages }: SegmentCollections) {
    this.#segments = alertSegments
    this.#pages = alertPages
    this.#reader = new PageReader(alertPages)
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
      .find({ _id: { $gt: newest } }, { projection: { blocks: 0 }, batchSize: mostAtOnce })
      .sort({ _id: 1 })
      .toArray()
    // Another call may have added them meanwhile.
    for (const { _id, build, head } of found) if (_id > (this.#known.at(-1)?.segment ?? 0)) this.#known.push({ ...head, segment: _id, build })
    return [...this.#known]
  }

  /** Returns the alerts of a segment, by position. */
  async alerts({ build, size }: StoredSegment): Promise<readonly AlertUuid[]> {
    const ids = Array.from({ length: Math.ceil(size / unitsInPage) }, (_, index) => pageId(build, 'ids', index))
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
  read(ids: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    return this.#reader.read(ids)
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

/** Returns the alert at a position of a segment, from pages that were read. Mostly few of a page are wanted, so it is not split into all of them. */
export function idsAmong(read: ReadonlyMap<string, Uint8Array>, { build }: StoredSegment): (position: number) => AlertUuid {
  return (position) => {
    const id = pageId(build, 'ids', idPageOf(position))
    const bytes = read.get(id)
    if (!bytes) throw new Error(`The page ${id} of the index of words is missing.`)
    const from = (position % unitsInPage) * (lengthOfId + 1)
    return Buffer.from(bytes.buffer, bytes.byteOffset + from, lengthOfId).toString('latin1') as AlertUuid
  }
}
