import type { Actor, CaseUuid, Millis, TimelineEntry } from '../../../domain/index.ts'
import { bodyText } from '../../timeline-text.ts'

/** The part of a timeline entry that every document of it has. */
export interface StoredEntry {
  readonly at: Millis
  /** Order of writing among entries of the same time: rising in one process, and by time between processes. */
  readonly written: number
  readonly actor: Actor
  /** JSON: evidence may have keys and depths that MongoDB refuses. */
  readonly body: string
}

/** A timeline entry in a document of its own. */
export interface TimelineDocument extends StoredEntry {
  readonly _id: { readonly case: CaseUuid; readonly key: string }
}

/** A timeline entry that is still in the document of its case. */
export interface RecentEntry extends StoredEntry {
  readonly key: string
}

/** A timeline entry as documents have it. @param written its place in the order of writing */
export function storedEntry({ at, actor, body }: TimelineEntry, written: number): StoredEntry {
  return { at, written, actor, body: bodyText(body) }
}
