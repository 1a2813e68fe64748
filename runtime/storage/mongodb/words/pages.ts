import type { Binary, Collection } from 'mongodb'
import { type BoundedCache, boundedCache } from '../../../caches/index.ts'

/** A page of a segment. Its id begins with the segment's `build`. */
export interface PageDocument {
  readonly _id: string
  readonly segment: number
  readonly bytes: Binary
}

/** How many ids of alerts or cases a page has. */
export const unitsInPage = 128

/** How many bytes of pages stay in memory. Most pages have about 2 KB. */
const mostCached = 8 * 1024 * 1024

/** Returns the id of a page of a segment: its build, what it has, and its number. */
export function pageId(build: string, kind: string, index: number): string {
  return `${build} ${kind} ${index}`
}

/** Splits the ids of a segment's alerts or cases into pages. */
export function splitIntoPages(ids: readonly string[]): Uint8Array[] {
  return Array.from({ length: Math.ceil(ids.length / unitsInPage) }, (_, index) =>
    Buffer.from(ids.slice(index * unitsInPage, (index + 1) * unitsInPage).join('\n')),
  )
}

/** Reads pages. A page never changes, so those that were read last stay in memory. */
export class PageReader {
  readonly #pages: Collection<PageDocument>
  readonly #cache: BoundedCache<string, Uint8Array> = boundedCache(mostCached, ({ length }) => length + 1)

  constructor(pages: Collection<PageDocument>) {
    this.#pages = pages
  }

  /** Returns those of the pages that there are. Reads them together. */
  async read(ids: Iterable<string>): Promise<Map<string, Uint8Array>> {
    const read = new Map<string, Uint8Array>()
    const missing: string[] = []
    for (const id of new Set(ids)) {
      const cached = this.#cache.get(id)
      if (cached) read.set(id, cached)
      else missing.push(id)
    }
    if (missing.length > 0) {
      for (const { _id, bytes } of await this.#pages.find({ _id: { $in: missing } }, { batchSize: missing.length + 1 }).toArray()) {
        // A copy, because what the driver returns is a part of a whole answer.
        const value = new Uint8Array(bytes.value())
        read.set(_id, value)
        this.#cache.set(_id, value)
      }
    }
    return read
  }
}
