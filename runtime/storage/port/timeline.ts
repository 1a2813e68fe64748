import type { Millis, TimelineBody, TimelineEntry } from '../../domain/index.ts'

/** Position of an entry in the timeline of its case. */
export interface TimelinePosition {
  readonly at: Millis
  /** Rises with every entry that is written. Orders entries of the same time. */
  readonly order: number
}

/** Which entries of a timeline are read: the latest, as many as fit. */
export interface TimelinePart {
  /** Only these kinds; absent: all. */
  readonly kinds?: readonly TimelineBody['kind'][]
  /** Only entries before this one; null: the latest. */
  readonly before: TimelinePosition | null
  /** At most this many entries. */
  readonly limit: number
  /** At most this many characters in all bodies together. The latest entry is read whatever its size. */
  readonly characters: number
}

export interface TimelinePage {
  /** In order of time, then of writing. */
  readonly entries: readonly TimelineEntry[]
  /** Pass this as `before` to read earlier entries; null: there are none. */
  readonly earlier: TimelinePosition | null
}
