import { type Filter, MaxKey, MinKey } from 'mongodb'
import type { CaseUuid, Clock, Millis, TimelineEntry } from '../../../domain/index.ts'
import { fitting } from '../../page-size.ts'
import type { TimelinePage, TimelinePart, TimelinePosition } from '../../port/index.ts'
import { beginningOf } from '../../timeline-text.ts'
import type { Collections } from '../database/index.ts'
import { sortedInMemory } from '../database/index.ts'
import type { CaseDocument } from './case-documents.ts'
import type { RecentEntry, StoredEntry, TimelineDocument } from './timeline-documents.ts'

/** Returns a function that gives ascending numbers for `written`. */
export function writingOrder(clock: Clock): () => number {
  let last = 0
  return () => {
    last = Math.max(last + 1, clock.now() * 1000)
    return last
  }
}

function toTimelineEntry(key: string, { at, actor, body }: StoredEntry): TimelineEntry {
  return { key, at, actor, body: JSON.parse(body) }
}

/** Position and size of an entry. */
interface Place {
  readonly key: string
  readonly at: Millis
  readonly written: number
  readonly size: number
}

/**
 * Returns the latest entries of a case that fit. Some are still in the case's document; the others have
 * documents of their own. Reads positions and sizes of the latter first, because a body may have megabytes.
 */
export async function readTimeline(
  { timeline }: Collections,
  { _id, recent }: CaseDocument,
  { kinds, before, limit, characters }: TimelinePart,
): Promise<TimelinePage> {
  const named = kinds?.map(beginningOf)
  const isIn = ({ at, written, body }: RecentEntry): boolean =>
    (!before || at < before.at || (at === before.at && written < before.order)) && (!named || named.some((each) => body.startsWith(each)))
  const waiting = new Map(recent.filter(isIn).map((entry) => [entry.key, entry]))
  const stages = [
    { $match: matching(_id, named, before) },
    { $project: { at: 1, written: 1, size: { $strLenBytes: '$body' } } },
    { $sort: { at: -1, written: -1 } },
    { $limit: limit + 1 },
  ]
  const found = await sortedInMemory((allowDiskUse) =>
    timeline.aggregate<Omit<Place, 'key'> & Pick<TimelineDocument, '_id'>>(stages, { allowDiskUse }).toArray(),
  )
  const places: Place[] = [...waiting.values()].map(({ key, at, written, body }) => ({ key, at, written, size: body.length }))
  // An entry that has just moved out of the case's document is in both.
  for (const { _id: id, ...place } of found) if (!waiting.has(id.key)) places.push({ key: id.key, ...place })
  places.sort((a, b) => b.at - a.at || b.written - a.written)
  const sizes = places.map(({ size }) => size)
  const taken = places.slice(0, fitting(sizes, limit, characters))
  const own = taken.flatMap(({ key }) => (waiting.has(key) ? [] : [{ case: _id, key }]))
  const read = own.length === 0 ? [] : await timeline.find({ _id: { $in: own } }).toArray()
  const entries = new Map<string, StoredEntry>(waiting)
  for (const { _id: id, ...entry } of read) entries.set(id.key, entry)
  const last = taken.at(-1)
  return {
    entries: taken.toReversed().flatMap(({ key }) => {
      const entry = entries.get(key)
      return entry ? [toTimelineEntry(key, entry)] : []
    }),
    earlier: last && taken.length < places.length ? { at: last.at, order: last.written } : null,
  }
}

/** Returns the entries with these keys, in any order. */
export async function entriesByKey(
  { timeline }: Collections,
  { _id, recent }: CaseDocument,
  keys: readonly string[],
): Promise<readonly TimelineEntry[]> {
  const found = await timeline.find({ _id: { $in: keys.map((key) => ({ case: _id, key })) } }).toArray()
  const entries = new Map(found.map(({ _id: id, ...entry }) => [id.key, toTimelineEntry(id.key, entry)]))
  for (const { key, ...entry } of recent) if (keys.includes(key)) entries.set(key, toTimelineEntry(key, entry))
  return [...entries.values()]
}

function matching(uuid: CaseUuid, kinds: readonly string[] | undefined, before: TimelinePosition | null): Filter<TimelineDocument> {
  return {
    _id: { $gte: { case: uuid, key: new MinKey() }, $lte: { case: uuid, key: new MaxKey() } } as never,
    ...(kinds && { body: { $regex: `^(?:${kinds.map((kind) => kind.replace('{', '\\{')).join('|')})` } }),
    ...(before && { $or: [{ at: { $lt: before.at } }, { at: before.at, written: { $lt: before.order } }] }),
  }
}
