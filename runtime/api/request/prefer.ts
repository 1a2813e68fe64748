/** The longest time that an answer is held, in seconds. */
export const maxWait = 300

/**
 * Returns the seconds of `Prefer: wait=N` (RFC 7240), at most `maxWait`. Null if the header has no such preference, or N is not a whole
 * number: a server ignores preferences that it does not understand.
 */
export function preferredWait(header: string | readonly string[] | undefined): number | null {
  if (header === undefined) return null
  const text = typeof header === 'string' ? header : header.join(',')
  for (const preference of text.split(',')) {
    const match = /^\s*wait\s*=\s*"?(\d{1,9})"?\s*(;|$)/i.exec(preference)
    if (match?.[1] !== undefined) return Math.min(Number(match[1]), maxWait)
  }
  return null
}
