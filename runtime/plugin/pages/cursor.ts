import type { Json } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'
import type { PaginationDocument } from '../grammar/index.ts'
import { valueAt } from '../values.ts'
import { type Turning, withParameter } from './turn.ts'

type Document = Extract<PaginationDocument, { kind: 'cursor' | 'token' }>
type TokenDocument = Extract<PaginationDocument, { kind: 'token' }>

/** The answer names the next page by an opaque text, which goes out as a query parameter beside those of the first request. */
export function byCursor({ send, next, more }: Document): Turning {
  return {
    next: (body) => namedAt(body, next, more),
    turn: (first, page) => withParameter(first, send, page),
  }
}

/**
 * By token, and where the answer promises more and gives none, by the number of items that were read. A page's name is a letter, which
 * says by which, and the token or number.
 */
export function byToken(document: TokenDocument): Turning {
  const { send, next, more, offset } = document
  if (offset === undefined) return byCursor(document)
  return {
    next: (body, read) => {
      const promised = more !== undefined && valueAt(body, more) === true
      if (promised && namedAt(body, next, undefined) === null) return `o${read}`
      const token = namedAt(body, next, more)
      return token === null ? null : `t${token}`
    },
    turn: (first, page) => withParameter(first, page.startsWith('o') ? offset : send, page.slice(1)),
  }
}

/** The text or number at `next`; `more`, where the answer has it, decides whether there is a next page at all. */
export function namedAt(body: Json, next: string, more: string | undefined): string | null {
  const found = valueAt(body, next)
  const named = (typeof found === 'string' && found !== '') || typeof found === 'number' ? String(found) : null
  const follows = more === undefined ? undefined : valueAt(body, more)
  if (follows === false || (typeof follows !== 'boolean' && named === null)) return null
  if (named !== null) return named
  throw new TocsinError('paging_endless', `The answer says that more follows (\`${more}\`) and names no next page at \`${next}\`.`)
}
