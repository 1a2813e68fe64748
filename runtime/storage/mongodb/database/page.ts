import { BSON, type Document, type Filter } from 'mongodb'
import { pageCharacters } from '../../page-size.ts'
import type { Page } from '../../port/index.ts'

/** Returns a page of what a query found that asked for one item more than `limit`. */
export function pageOf<T>(found: readonly T[], limit: number): Page<T> {
  return { items: found.slice(0, limit), more: found.length > limit }
}

/**
 * Returns the first documents of a cursor that fit into a page. The cursor must ask for one document more
 * than `limit`.
 */
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

/**
 * Returns the filter for what comes after the last item of the previous page. The list is sorted by a time
 * and then by id: newest first with `$lt`, oldest first with `$gt`.
 */
export function following<T extends Document>(field: keyof T & string, at: number, id: string, beyond: '$lt' | '$gt' = '$lt'): Filter<T>[] {
  // The first condition limits how much of the index is read. The second leaves out items of the previous
  // page that have the same time.
  return [{ [field]: { [`${beyond}e`]: at } }, { $or: [{ [field]: { [beyond]: at } }, { _id: { [beyond]: id } }] }] as Filter<T>[]
}
