import type { Json } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'
import type { PaginationDocument } from '../grammar/index.ts'
import { valueAt } from '../values.ts'
import { type Turning, withParameter } from './turn.ts'

type Document = Extract<PaginationDocument, { kind: 'cursor' | 'token' }>
type TokenDocument = Extract<PaginationDocument, { kind: 'token' }>

/**
 * Pages by cursor: the answer names the next page by an opaque text, which is sent as an
 * additional query parameter.
 */
export function byCursor({ send, next, more }: Document): Turning {
  return {
    next: ({ body }) => namedAt(body, next, more),
    turn: (first, page) => withParameter(first, send, page),
  }
}

/**
 * Pages by token. If the answer promises more items but gives no token, the number of items read
 * so far is sent instead. The first letter of a page's name says which of the two follows.
 */
export function byToken(document: TokenDocument): Turning {
  const { send, next, more, offset } = document
  if (offset === undefined) return byCursor(document)
  return {
    next: ({ body }, read) => {
      const promised = more !== undefined && valueAt(body, more) === true
      if (promised && namedAt(body, next, undefined) === null) return `o${read}`
      const token = namedAt(body, next, more)
      return token === null ? null : `t${token}`
    },
    turn: (first, page) => withParameter(first, page.startsWith('o') ? offset : send, page.slice(1)),
  }
}

/**
 * Returns the text or number at `next`. If the answer has a boolean at `more`, that decides whether
 * there is a next page at all.
 */
export function namedAt(body: Json, next: string, more: string | undefined): string | null {
  const found = valueAt(body, next)
  const named = (typeof found === 'string' && found !== '') || typeof found === 'number' ? String(found) : null
  const follows = more === undefined ? undefined : valueAt(body, more)
  if (follows === false || (typeof follows !== 'boolean' && named === null)) return null
  if (named !== null) return named
  throw new TocsinError('paging_endless', `The answer says at \`${more}\` that more items follow, but names no next page at \`${next}\`.`)
}
