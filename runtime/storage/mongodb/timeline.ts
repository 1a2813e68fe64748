import { MaxKey, MinKey } from 'mongodb'
import type { Actor, CaseUuid, Clock, Millis, TimelineEntry } from '../../domain/index.ts'
import type { CaseDocument } from './case-documents.ts'
import type { Collections } from './collections.ts'

export interface StoredEntry {
  readonly at: Millis
  /** Order of writing among entries of the same time: rising in one process, and by time between processes. */
  readonly written: number
  readonly actor: Actor
  /** JSON: evidence may have keys and depths that a document may not. */
  readonly body: string
}

export interface TimelineDocument extends StoredEntry {
  readonly _id: { readonly case: CaseUuid; readonly key: string }
}

export interface RecentEntry extends StoredEntry {
  readonly key: string
}

/** Numbers for `written`. */
export function writingOrder(clock: Clock): () => number {
  let last = 0
  return () => {
    last = Math.max(last + 1, clock.now() * 1000)
    return last
  }
}

export function storedEntry({ at, actor, body }: TimelineEntry, written: number): StoredEntry {
  return { at, written, actor, body: JSON.stringify(body) }
}

function toTimelineEntry({ key, at, actor, body }: RecentEntry): TimelineEntry {
  return { key, at, actor, body: JSON.parse(body) }
}

/** All entries of a case: those that wait in its document, and those that have documents of their own. */
export async function readTimeline({ timeline }: Collections, { _id, recent }: CaseDocument): Promise<TimelineEntry[]> {
  const found = await timeline.find({ _id: { $gte: { case: _id, key: new MinKey() }, $lte: { case: _id, key: new MaxKey() } } as never }).toArray()
  const all = new Map<string, RecentEntry>()
  for (const { _id: id, ...entry } of found) all.set(id.key, { key: id.key, ...entry })
  for (const entry of recent) all.set(entry.key, entry)
  return [...all.values()].sort((a, b) => a.at - b.at || a.written - b.written).map(toTimelineEntry)
}
