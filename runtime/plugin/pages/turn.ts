import type { Json } from '../../domain/index.ts'
import type { SkillRequest } from '../request/skill-request.ts'

/** How one kind of paging goes from page to page. */
export interface Turning {
  /**
   * What names the page after this one; null after the last. Two pages never have the same name.
   * @param read items of all pages so far, this one's included
   * @throws TocsinError `answer_not_understood`, `paging_endless`
   */
  next(body: Json, read: number): string | null
  /** The first request, turned to the page of that name. */
  turn(first: SkillRequest, page: string): SkillRequest
}

/** The request with the page's name in a query parameter of its own. */
export function withParameter(first: SkillRequest, parameter: string, page: string): SkillRequest {
  return { ...first, query: [...first.query, [parameter, page]] }
}
