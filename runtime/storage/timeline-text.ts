import type { TimelineBody } from '../domain/index.ts'

/** The body of a timeline entry as it is stored: JSON that begins with its kind, by which entries are found. */
export function bodyText({ kind, ...rest }: TimelineBody): string {
  return JSON.stringify({ kind, ...rest })
}

/** What the stored body of an entry of that kind begins with. */
export function beginningOf(kind: TimelineBody['kind']): string {
  return `{"kind":"${kind}"`
}
