/**
 * How a listing gets from one page to the next: one file for each kind of paging that a skill may
 * declare (`paginate.kind`).
 */
import type { PaginationDocument } from '../grammar/index.ts'
import { byCursor, byToken } from './cursor.ts'
import { byLink } from './link.ts'
import { byNextUrl } from './next-url.ts'
import { byOffset } from './offset.ts'
import type { Turning } from './turn.ts'

export { PageTrail } from './trail.ts'
export type { Turning } from './turn.ts'

/** Returns how to turn the pages of a listing. */
export function turningOf(document: PaginationDocument): Turning {
  switch (document.kind) {
    case 'cursor':
      return byCursor(document)
    case 'token':
      return byToken(document)
    case 'next_url':
      return byNextUrl(document)
    case 'link':
      return byLink(document)
    case 'offset':
      return byOffset(document)
  }
}
