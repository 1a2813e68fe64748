import { type Json, weightOf } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'

/** Some vendors filter after paging, so pages may be empty. With this many in a row, something is wrong. */
const maxEmptyPages = 20
/** The ends of a page are compared only up to this many characters. */
const longestCompared = 50_000

/** The pages of a listing so far. Notices a listing that goes round in circles. */
export class PageTrail {
  readonly #most: number
  readonly #named = new Set<string>()
  #pages = 0
  #empty = 0
  #before: string | null = null

  /** @param most how many pages a listing may have */
  constructor(most = Number.POSITIVE_INFINITY) {
    this.#most = most
  }

  /** How many pages were read. */
  get pages(): number {
    return this.#pages
  }

  /** Notes a page. @throws TocsinError `paging_endless` if it is the same as the one before it */
  read(list: readonly Json[]): void {
    this.#pages += 1
    const ends = endsOf(list)
    if (ends !== null && ends === this.#before) throw endless(`Page ${this.#pages} is the same as the page before it.`)
    this.#before = ends
    this.#empty = list.length === 0 ? this.#empty + 1 : 0
  }

  /** Notes the name of the next page. @throws TocsinError `paging_endless` */
  turn(next: string): void {
    if (this.#named.has(next)) throw endless(`Page ${this.#pages} names a next page that an earlier page has already named.`)
    if (this.#empty >= maxEmptyPages) throw endless(`${maxEmptyPages} pages in a row have no item.`)
    if (this.#pages >= this.#most) throw endless(`There are more than ${this.#most} pages.`)
    this.#named.add(next)
  }
}

function endless(message: string): TocsinError {
  return new TocsinError('paging_endless', message)
}

/**
 * Returns how a page begins and ends, to compare it with others. Its own name or number is not compared. Null if the page cannot be told from
 * another one: records have ids, which differ, but pages of anything else may well be equal.
 */
function endsOf(list: readonly Json[]): string | null {
  const [first] = list
  if (typeof first !== 'object' || first === null || !('id' in first)) return null
  const last = list.at(-1) ?? null
  return weightOf([first, last], longestCompared) < longestCompared ? JSON.stringify([list.length, first, last]) : null
}
