import type { SkillAnswer } from '../answer/skill-answer.ts'
import type { SkillRequest } from '../request/skill-request.ts'

/** What an answer says about the next page. */
type Page = Pick<SkillAnswer, 'headers' | 'body'>

/** How one kind of paging gets from page to page. */
export interface Turning {
  /**
   * Returns the name of the page after this one, or null after the last. Two pages never have the
   * same name.
   * @param read how many items were read so far, including this page's
   * @throws TocsinError `answer_not_understood`, `paging_endless`
   */
  next(page: Page, read: number): string | null
  /** Returns the first request, changed to get the page with this name. */
  turn(first: SkillRequest, page: string): SkillRequest
}

/** Adds the page's name to the request as a query parameter. */
export function withParameter(first: SkillRequest, parameter: string, page: string): SkillRequest {
  return { ...first, query: [...first.query, [parameter, page]] }
}
