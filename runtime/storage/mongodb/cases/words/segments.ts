import type { Collection } from 'mongodb'
import { type BoundedCache, boundedCache } from '../../../../caches/index.ts'
import type { CaseUuid } from '../../../../domain/index.ts'
import { type BuiltCases, type CaseHead, findCases, type NeededPages, Page, type WantedCases } from '../../../words/index.ts'
import { type PageDocument, PageReader, pageId, unitsInPage } from '../../words/index.ts'

/**
 * A segment of what cases say (runtime/storage/words/cases). It never changes. If its cases do, another segment takes its place, with the
 * same cases.
 */
export interface CaseSegmentDocument {
  /** Higher than those of all segments before. */
  readonly _id: number
  /** The number of the first segment with these cases. Of several, the last one counts. */
  readonly place: number
  /** Its pages begin with this. Two processes may build the segment of one number, but only one adds it. */
  readonly build: string
  readonly head: BuiltCases['head']
  readonly always: readonly number[]
  /** Whether its cases were told that it knows them. */
  readonly marked: boolean
}

export interface StoredCases extends CaseHead {
  readonly place: number
  readonly build: string
}

/** A case of a segment, and its revision when the segment was built. */
export interface Member {
  readonly uuid: CaseUuid
  readonly revision: number | null
}

interface SegmentCollections {
  readonly caseSegments: Collection<CaseSegmentDocument>
  readonly casePages: Collection<PageDocument>
}

/** How many characters of frequent words stay in memory. A segment has about 16,000. */
const mostFrequentCached = 16 * 1024 * 1024

/** A segment was replaced by another one after it was looked up, and its pages are gone. */
export class PageGone extends Error {}

type Pages = ReadonlyMap<string, Uint8Array>

/** Returns how a page of ids names a case. */
export function lineOf({ uuid, revision }: Member): string {
  return `${uuid} ${revision ?? '-'}`
}

function uuidOf(line: string): CaseUuid {
  return line.slice(0, line.indexOf(' ')) as CaseUuid
}

function memberOf(line: string): Member {
  const revision = line.slice(line.indexOf(' ') + 1)
  return { uuid: uuidOf(line), revision: revision === '-' ? null : Number(revision) }
}

function bytesIn(pages: Pages, id: string): Uint8Array {
  const bytes = pages.get(id)
  if (!bytes) throw new PageGone(`The page ${id} of the index of cases is missing.`)
  return bytes
}

function linesOf(bytes: Uint8Array): string[] {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString().split('\n')
}

/** The segments that one process has seen. Their heads stay in memory: about 3 MB for a million cases. */
export class CaseSegments {
  readonly #segments: Collection<CaseSegmentDocument>
  readonly #pages: PageReader
  readonly #frequent: BoundedCache<string, string> = boundedCache(mostFrequentCached, ({ length }) => length + 1)
  /** By place. */
  #known = new Map<number, StoredCases>()
  #newest = 0

  constructor({ caseSegments, casePages }: SegmentCollections) {
    this.#segments = caseSegments
    this.#pages = new PageReader(casePages)
  }

  /** Returns the segments that there are now, one for each place. */
  async all(): Promise<readonly StoredCases[]> {
    const found = await this.#segments
      .find({ _id: { $gt: this.#newest } })
      .sort({ _id: 1 })
      .toArray()
    for (const { _id: segment, place, build, head, always } of found) {
      // Another call may have added it, or a later one, meanwhile.
      if (segment > (this.#known.get(place)?.segment ?? 0)) this.#known.set(place, { ...head, always, segment, place, build })
      this.#newest = Math.max(this.#newest, segment)
    }
    return [...this.#known.values()]
  }

  /** Forgets the segments, because one of them is gone. */
  forget(): void {
    this.#known = new Map()
    this.#newest = 0
  }

  /**
   * Returns the cases of these segments that may match, by position, ascending. Reads the pages of all segments together.
   * @throws PageGone
   */
  async find(segments: readonly StoredCases[], wanted: WantedCases): Promise<Map<StoredCases, readonly number[]>> {
    const read = new Map<string, Uint8Array>()
    const finding = segments.map((segment) => {
      const page = (kind: string) => (index: number) => new Page(bytesIn(read, pageId(segment.build, kind, index)))
      const frequent = (): string => this.#frequentOf(segment, read)
      return {
        segment,
        steps: findCases(segment, { page: page('page'), summary: page('summary'), frequentPage: page('frequentPage'), frequent }, wanted),
      }
    })
    const found = new Map<StoredCases, readonly number[]>()
    for (let left = finding; left.length > 0; ) {
      const ids: string[] = []
      left = left.filter(({ segment, steps }) => {
        const { done, value } = steps.next()
        if (done) found.set(segment, value)
        else ids.push(...idsOf(segment, value), ...(this.#frequent.has(segment.build) ? [] : [frequentId(segment)]))
        return !done
      })
      for (const [id, bytes] of await this.#pages.read(ids)) read.set(id, bytes)
    }
    return found
  }

  /**
   * Returns the cases at these positions.
   * @throws PageGone
   */
  async uuids(parts: readonly (readonly [StoredCases, readonly number[]])[]): Promise<CaseUuid[][]> {
    const idOf = ({ build }: StoredCases, position: number): string => pageId(build, 'ids', Math.floor(position / unitsInPage))
    const read = await this.#pages.read(parts.flatMap(([segment, positions]) => positions.map((position) => idOf(segment, position))))
    const lines = new Map<string, readonly string[]>()
    return parts.map(([segment, positions]) =>
      positions.map((position) => {
        const id = idOf(segment, position)
        const page = lines.get(id) ?? linesOf(bytesIn(read, id))
        lines.set(id, page)
        return uuidOf(page[position % unitsInPage] ?? '')
      }),
    )
  }

  /**
   * Returns all cases of a segment, in the order of their keys.
   * @throws PageGone
   */
  async members({ build, size }: Pick<StoredCases, 'build' | 'size'>): Promise<readonly Member[]> {
    const ids = Array.from({ length: Math.ceil(size / unitsInPage) }, (_, index) => pageId(build, 'ids', index))
    const read = await this.#pages.read(ids)
    return ids.flatMap((id) => linesOf(bytesIn(read, id)).map(memberOf))
  }

  /** Returns the frequent words of a segment, from memory or from what was read. */
  #frequentOf(segment: StoredCases, read: Pages): string {
    const cached = this.#frequent.get(segment.build)
    if (cached !== undefined) return cached
    const bytes = bytesIn(read, frequentId(segment))
    const words = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
    this.#frequent.set(segment.build, words)
    return words
  }
}

function frequentId({ build }: StoredCases): string {
  return pageId(build, 'frequent', 0)
}

function idsOf({ build }: StoredCases, { pages, summaries, frequentPages }: NeededPages): string[] {
  return Object.entries({ page: pages, summary: summaries, frequentPage: frequentPages }).flatMap(([kind, indexes]) =>
    [...indexes].map((index) => pageId(build, kind, index)),
  )
}
