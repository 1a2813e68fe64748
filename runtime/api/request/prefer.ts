/** No answer is held longer than this many seconds. */
export const maxWait = 300

/**
 * The seconds of `Prefer: wait=N` (RFC 7240), at most `maxWait`. Null when the header has no such preference, or not a whole number:
 * a preference that a server does not understand is ignored.
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
