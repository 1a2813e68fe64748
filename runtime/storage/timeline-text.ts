import type { TimelineBody } from '../domain/index.ts'

/**
 * Returns the stored form of a timeline entry's body. The JSON starts with the kind, because queries find
 * entries by this prefix.
 */
export function bodyText({ kind, ...rest }: TimelineBody): string {
  return JSON.stringify({ kind, ...rest })
}

/** Returns the prefix that the stored body of each entry of this kind has. */
export function beginningOf(kind: TimelineBody['kind']): string {
  return `{"kind":"${kind}"`
}
