import { type Json, weightOf } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'
import { type Context, compileValue, type Path } from '../../expressions/index.ts'
import type { SkillAnswer } from '../answer/skill-answer.ts'
import type { PaginationDocument } from '../grammar/index.ts'
import { PageTrail, type Turning, turningOf } from '../pages/index.ts'
import { valueAt } from '../values.ts'

/** A skill's `paginate`, compiled. */
export interface PagePlan {
  readonly document: PaginationDocument
  readonly turning: Turning
  readonly reads: readonly Path[]
  /** Returns after how many items to stop, or null for all. @throws TocsinError `skill_input_invalid` */
  until(context: Context): number | null
}

/**
 * All pages together, as `result` sees them: `items` and `page`, and `body`, `status` and `headers`
 * of the last page.
 */
export interface Listing {
  readonly items: readonly Json[]
  /** `truncated`: there were more items than `until`. */
  readonly page: { readonly truncated: boolean; readonly count: number; readonly pages: number }
  readonly last: SkillAnswer
  /** A warning if more items may follow, although no page does. Null if the last answer leaves no doubt. */
  readonly doubt: string | null
  /** The same, if the last answer counts more items than there were. */
  readonly incomplete: string | null
}

/** Reads the page with this name. Null: the first page. */
export type ReadPage = (name: string | null) => Promise<SkillAnswer>

/** The most pages of a listing. No playbook can want more. */
const maxPages = 1_000
/** The limit for all pages together: 64 MiB of text, or four million values. */
const mostWeight = 64 * 1024 * 1024

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
      throw new TocsinError('skill_input_invalid', `\`until\` in the skill's \`paginate\` is ${JSON.stringify(count)}, which is not a count.`)
    },
  }
}

/**
 * Reads pages until the last, or until there are `until` items.
 * @throws TocsinError `answer_not_understood`, `answer_too_large`, `paging_endless`, and whatever
 * `read` throws
 */
export async function followPages({ document, turning }: PagePlan, until: number | null, read: ReadPage): Promise<Listing> {
  const items: Json[] = []
  const trail = new PageTrail(maxPages)
  let name: string | null = null
  let weight = 0
  for (;;) {
    const answer = await read(name)
    const list = listIn(document, answer.body)
    trail.read(list)
    weight += weightOf(list, mostWeight)
    if (weight >= mostWeight) throw new TocsinError('answer_too_large', `The first ${trail.pages} pages together are too large.`)
    const room = until === null ? list.length : until - items.length
    for (const item of list.slice(0, room)) items.push(item)
    const next = list.length > room ? null : turning.next(answer, items.length)
    const full = items.length === until
    if (next === null || full) {
      const page = { truncated: list.length > room || (full && next !== null), count: items.length, pages: trail.pages }
      if (page.truncated) return { items, page, last: answer, doubt: null, incomplete: null }
      const incomplete = shortfallIn(document, answer.body, items.length)
      return { items, page, last: answer, doubt: doubtIn(document, answer.body, items.length), incomplete }
    }
    trail.turn(next)
    name = next
  }
}

/**
 * Returns a warning if the last page does not say whether more items follow, or counts more items than there were. Null if it leaves no doubt.
 * @param read how many items all pages had
 */
export function doubtIn(document: PaginationDocument, body: Json, read: number): string | null {
  return silenceIn(document, body) ?? shortfallIn(document, body, read)
}

/** Returns a warning if the last page counts more items than all pages had. Null if it does not. */
export function shortfallIn({ total }: PaginationDocument, body: Json, read: number): string | null {
  const told = total === undefined ? undefined : valueAt(body, total)
  const count = typeof told === 'string' && /^\d{1,15}$/.test(told) ? Number(told) : told
  if (typeof count !== 'number' || count <= read) return null
  return `the answer says at \`${total}\` that there are ${count} items, and all pages together have ${read}`
}

/**
 * Returns a warning if an answer has nothing at the place that should say whether more items
 * follow. Many systems leave out the next page's name on the last page, so only the absence of the
 * enclosing object is a sign. Null if all is well.
 */
function silenceIn(document: PaginationDocument, body: Json): string | null {
  if (document.kind === 'offset' || document.kind === 'link') return null
  const { next, more } = document
  const around = next.includes('.') ? next.slice(0, next.lastIndexOf('.')) : null
  const told = more !== undefined ? [more, next] : around === null ? null : [around]
  if (told === null || told.some((path) => valueAt(body, path) !== undefined)) return null
  const places = told.map((path) => `\`${path}\``).join(' or ')
  return `the answer has nothing at ${places}, so there may be more items`
}

/**
 * Returns the items of a page. Some systems write an empty list as null.
 * @throws TocsinError `answer_not_understood`
 */
export function listIn({ items: path }: PaginationDocument, body: Json): readonly Json[] {
  const list = path === undefined ? body : valueAt(body, path)
  if (list === null) return []
  if (Array.isArray(list)) return list as readonly Json[]
  throw new TocsinError('answer_not_understood', path === undefined ? 'The answer is not a list.' : `The answer has no list at \`${path}\`.`)
}
