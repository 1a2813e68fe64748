import type { Millis, TimelineBody, TimelineEntry } from '../../domain/index.ts'

/** Where an entry stands in the timeline of its case. */
export interface TimelinePosition {
  readonly at: Millis
  /** Rises with every entry that is written; tells apart those of the same time. */
  readonly order: number
}

/** Which entries of a timeline are read: the latest, as many as fit. */
export interface TimelinePart {
  /** Only these kinds; all if absent. */
  readonly kinds?: readonly TimelineBody['kind'][]
  /** Only entries before this one; null: up to the last. */
  readonly before: TimelinePosition | null
  /** Entries, at most. */
  readonly limit: number
  /** Characters of their bodies together, at most; the latest entry is read whatever its size. */
  readonly characters: number
}

export interface TimelinePage {
  /** In order of time, then of writing. */
  readonly entries: readonly TimelineEntry[]
  /** What to give as `before` to read those that came earlier; null: there are none. */
  readonly earlier: TimelinePosition | null
}
