import { TocsinError } from '../../errors/index.ts'
import type { PaginationDocument } from '../grammar/index.ts'
import { valueAt } from '../values.ts'
import { type Turning, withParameter } from './turn.ts'

type Document = Extract<PaginationDocument, { kind: 'offset' }>

/**
 * Pages by offset: the next request skips the items that were read. The answer says with a
 * boolean, or with the total number of items, whether there are more.
 */
export function byOffset({ send, more, total }: Document): Turning {
  return {
    next: ({ body }, read) => {
      const follows = more === undefined ? undefined : valueAt(body, more)
      const all = total === undefined ? undefined : valueAt(body, total)
      if (typeof follows === 'boolean') return follows ? String(read) : null
      if (typeof all === 'number') return read < all ? String(read) : null
      const places = [more, total].flatMap((path) => (path === undefined ? [] : [`\`${path}\``])).join(' or ')
      throw new TocsinError('answer_not_understood', `The answer does not say at ${places} whether another page follows.`)
    },
    turn: (first, page) => withParameter(first, send, page),
  }
}
