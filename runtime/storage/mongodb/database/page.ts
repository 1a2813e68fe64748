import { BSON, type Document, type Filter } from 'mongodb'
import { pageCharacters } from '../../page-size.ts'
import type { Page } from '../../port/index.ts'

/** A page of what was found when one more than `limit` was asked for. */
export function pageOf<T>(found: readonly T[], limit: number): Page<T> {
  return { items: found.slice(0, limit), more: found.length > limit }
}

/** The first documents of a cursor that fit into a page. The cursor must ask for one more than `limit`. */
export async function readPage<T extends Document>(cursor: AsyncIterable<T>, limit: number): Promise<Page<T>> {
  const items: T[] = []
  let bytes = 0
  for await (const document of cursor) {
    bytes += BSON.calculateObjectSize(document)
    if (items.length === limit || (items.length > 0 && bytes > pageCharacters)) return { items, more: true }
    items.push(document)
  }
  return { items, more: false }
}

/** What comes after the last item of the page before, in a listing by a time and then by id, the newest first (`$gt`: the oldest). */
export function following<T extends Document>(field: keyof T & string, at: number, id: string, beyond: '$lt' | '$gt' = '$lt'): Filter<T>[] {
  // The first of the two bounds the walk over the index; the second leaves out what the page before had of the same time.
  return [{ [field]: { [`${beyond}e`]: at } }, { $or: [{ [field]: { [beyond]: at } }, { _id: { [beyond]: id } }] }] as Filter<T>[]
}
