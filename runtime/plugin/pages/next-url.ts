import type { PaginationDocument } from '../grammar/index.ts'
import { namedAt } from './cursor.ts'
import type { Turning } from './turn.ts'

type Document = Extract<PaginationDocument, { kind: 'next_url' }>

/**
 * Pages by URL: the answer gives the next page's URL, absolute or relative. The host resolves it
 * and sends it only to the connection's own origins, so an answer cannot send the credentials
 * elsewhere.
 */
export function byNextUrl({ next, more }: Document): Turning {
  return {
    next: ({ body }) => namedAt(body, next, more),
    turn: (first, page) => ({ ...first, next: page }),
  }
}
