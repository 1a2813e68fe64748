import type { PaginationDocument } from '../grammar/index.ts'
import { nextLink } from './link-header.ts'
import type { Turning } from './turn.ts'

/**
 * Pages by the `Link` header of the answer (RFC 8288): the link with `rel="next"` is the next
 * page's URL. Like a URL in the body, it is followed only to the connection's own origins.
 */
export function byLink(_: Extract<PaginationDocument, { kind: 'link' }>): Turning {
  return {
    next: ({ headers }) => nextLink(headers['link'] ?? ''),
    turn: (first, page) => ({ ...first, next: page }),
  }
}
