import type { Json } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'
import type { PaginationDocument } from '../grammar/index.ts'
import { valueAt } from '../values.ts'
import { type Turning, withParameter } from './turn.ts'

type Document = Extract<PaginationDocument, { kind: 'cursor' | 'token' }>

/** The answer names the next page by an opaque text, which goes out as a query parameter beside those of the first request. */
export function byCursor({ send, next, more }: Document): Turning {
  return {
    next: (body) => namedAt(body, next, more),
    turn: (first, page) => withParameter(first, send, page),
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
