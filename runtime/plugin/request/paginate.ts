import { type Json, weightOf } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'
import { type Context, compileValue, type Path } from '../../expressions/index.ts'
import type { SkillAnswer } from '../answer/skill-answer.ts'
import type { PaginationDocument } from '../grammar/index.ts'
import { type Turning, turningOf } from '../pages/index.ts'
import { valueAt } from '../values.ts'

/** A skill's `paginate`, compiled. */
export interface PagePlan {
  readonly document: PaginationDocument
  readonly turning: Turning
  readonly reads: readonly Path[]
  /** After how many items to stop; null: after the last. @throws TocsinError `skill_input_invalid` */
  until(context: Context): number | null
}

/** All pages together, as `result` sees them: `items`, `page`, and of the last page `body`, `status`, `headers`. */
export interface Listing {
  readonly items: readonly Json[]
  /** `truncated`: more matched than `until`. */
  readonly page: { readonly truncated: boolean; readonly count: number; readonly pages: number }
  readonly last: SkillAnswer
  /** That the last answer does not say whether more follows; null: it does. */
  readonly silent: string | null
}

/** Reads the page of this name; null: the first. */
export type ReadPage = (name: string | null) => Promise<SkillAnswer>

/** A listing that goes on after this many pages is not one that a playbook can want. */
const maxPages = 1_000
/** A vendor that filters after cutting its pages gives some without an item; so many in a row are no listing. */
const maxEmptyPages = 20
/** Of all pages together: 64 MiB of text, or four million values. */
const mostWeight = 64 * 1024 * 1024
/** Characters of a record that are compared with another's. */
const longestCompared = 100_000

/** @throws ExpressionError */
export function compilePages(document: PaginationDocument): PagePlan {
  const until = document.until === undefined ? null : compileValue(document.until)
  return {
    document,
    turning: turningOf(document),
    reads: until?.reads ?? [],
    until: (context) => {
      const count = until?.render(context)
      if (count === undefined || count === null) return null
      if (typeof count === 'number' && Number.isSafeInteger(count) && count >= 0) return count
      throw new TocsinError('skill_input_invalid', `\`until\` of the skill's paging is ${JSON.stringify(count)}, not a count.`)
    },
  }
}

/**
 * Follows the pages to the last, or until there are `until` items.
 * @throws TocsinError `answer_not_understood`, `answer_too_large`, `paging_endless`; and whatever `read` throws
 */
export async function followPages({ document, turning }: PagePlan, until: number | null, read: ReadPage): Promise<Listing> {
  const items: Json[] = []
  const seen = new Set<string>()
  let name: string | null = null
  let emptyPages = 0
  let before: readonly Json[] = []
  let weight = 0
  for (let pages = 1; ; pages += 1) {
    const answer = await read(name)
    const list = listOf(answer.body, document.items)
    if (isSame(list, before)) throw new TocsinError('paging_endless', `Page ${pages} is the page before it once more.`)
    before = list
    weight += weightOf(list, mostWeight)
    if (weight >= mostWeight) throw new TocsinError('answer_too_large', `The first ${pages} pages together are too large.`)
    const room = until === null ? list.length : until - items.length
    for (const item of list.slice(0, room)) items.push(item)
    const next = list.length > room ? null : turning.next(answer.body, items.length)
    const full = items.length === until
    if (next === null || full) {
      const page = { truncated: list.length > room || (full && next !== null), count: items.length, pages }
      return { items, page, last: answer, silent: page.truncated ? null : silenceIn(document, answer.body) }
    }

    emptyPages = list.length === 0 ? emptyPages + 1 : 0
    if (seen.has(next)) throw new TocsinError('paging_endless', `Page ${pages} names as its next a page that an earlier one named.`)
    if (emptyPages >= maxEmptyPages) throw new TocsinError('paging_endless', `${maxEmptyPages} pages in a row have no item.`)
    if (pages >= maxPages) throw new TocsinError('paging_endless', `There are more than ${maxPages} pages.`)
    seen.add(next)
    name = next
  }
}

/**
 * Whether an answer has nothing where it should say that more follows: then the last page cannot be told from one that is followed by others. Many
 * systems leave the next page's name out of their last page, so that is no sign; that there is not even anything around it is.
 */
export function silenceIn(document: PaginationDocument, body: Json): string | null {
  if (document.kind === 'offset') return null
  const { next, more } = document
  const around = next.includes('.') ? next.slice(0, next.lastIndexOf('.')) : null
  const told = more !== undefined ? [more, next] : around === null ? null : [around]
  if (told === null || told.some((path) => valueAt(body, path) !== undefined)) return null
  const places = told.map((path) => `\`${path}\``).join(' or ')
  return `the answer has nothing at ${places}: whether more items follow is not known`
}

/** Whether a page begins and ends as another does: what it is asked for by is not looked at. */
function isSame(page: readonly Json[], other: readonly Json[]): boolean {
  const ends = (list: readonly Json[]): string => JSON.stringify([list.length, list[0], list.at(-1)])
  // Records have an id, which no other has; of anything else two pages may well be alike.
  const first = page[0]
  if (typeof first !== 'object' || first === null || !('id' in first)) return false
  const compared = [first, page.at(-1) ?? null, other[0] ?? null, other.at(-1) ?? null]
  return weightOf(compared, longestCompared) < longestCompared && ends(page) === ends(other)
}

/** Null is how some systems write an empty list. */
function listOf(body: Json, path: string): readonly Json[] {
  const list = valueAt(body, path)
  if (list === null) return []
  if (Array.isArray(list)) return list as readonly Json[]
  throw new TocsinError('answer_not_understood', `The answer has no list at \`${path}\`.`)
}
