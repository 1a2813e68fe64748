import type { TimelineBody } from '../domain/index.ts'

/** The stored form of a timeline entry's body: JSON that starts with the kind, because queries find entries by this prefix. */
export function bodyText({ kind, ...rest }: TimelineBody): string {
  return JSON.stringify({ kind, ...rest })
}

/** The prefix of the stored body of each entry of this kind. */
export function beginningOf(kind: TimelineBody['kind']): string {
  return `{"kind":"${kind}"`
}
