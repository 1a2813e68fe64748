import type { Actor, CaseUuid, Millis, TimelineEntry } from '../../../domain/index.ts'
import { bodyText } from '../../timeline-text.ts'

/** The fields that every document of a timeline entry has. */
export interface StoredEntry {
  readonly at: Millis
  /** Sorts entries that have the same time. Ascending within one process, and by time between processes. */
  readonly written: number
  readonly actor: Actor
  /** JSON, because evidence may have keys and depths that MongoDB refuses. */
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

/**
 * Returns a timeline entry as documents have it.
 * @param written its number in the order of writing
 */
export function storedEntry({ at, actor, body }: TimelineEntry, written: number): StoredEntry {
  return { at, written, actor, body: bodyText(body) }
}
