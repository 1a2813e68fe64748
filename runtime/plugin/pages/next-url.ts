import type { PaginationDocument } from '../grammar/index.ts'
import { namedAt } from './cursor.ts'
import type { Turning } from './turn.ts'

type Document = Extract<PaginationDocument, { kind: 'next_url' }>

/**
 * The answer gives the next page's address, whole or relative to the request's own. The host resolves it and sends it only to the
 * connection's own origins, so that an answer cannot lead the credentials elsewhere.
 */
export function byNextUrl({ next, more }: Document): Turning {
  return {
    next: (body) => namedAt(body, next, more),
    turn: (first, page) => ({ ...first, next: page }),
  }
}
