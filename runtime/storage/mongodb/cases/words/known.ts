import { Long } from 'mongodb'
import type { Millis } from '../../../../domain/index.ts'

/**
 * Whether a segment knows what a case says now. The type of its `modifiedAt` says so, which readers never see: they get a number.
 *
 * Each write of what a case says also writes `modifiedAt`, as a number of JavaScript. The driver stores that as a double, or as an int if it
 * is small. So from this write on, no segment knows the case, without a field that a process of the version before would have to write. Only
 * `CaseSealing` makes it a long, if the case still has the revision that a segment was built from.
 */
export const known = { modifiedAt: { $type: 'long' } } as const
export const notKnown = { modifiedAt: { $type: ['double', 'int'] } } as const

/** It has only the cases that no segment knows as they are, in the order of the list. */
export const notKnownIndex = { createdAt: 1, _id: 1, sealed: 1 } as const

/** Returns a time to store in a known case that says the same as before. */
export function asKnown(at: Millis): Millis {
  return Long.fromNumber(at) as unknown as Millis
}
