const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ012345'

/** Returns the id with number `n` of a kind with this prefix, in the long form. */
export function idOf(prefix: string, n: number): string {
  return longId(prefix + String(n).padStart(15 - prefix.length, '0'))
}

/**
 * Returns the 18-character form of an id with 15 or 18 characters. Its last three characters say
 * which of the others are capitals, so that ids can be compared ignoring case. Null if it is not an
 * id.
 */
export function idFrom(text: string): string | null {
  if (!/^([A-Za-z0-9]{15}|[A-Za-z0-9]{18})$/.test(text)) return null
  const long = longId(text.slice(0, 15))
  return text.length === 18 && long !== text.slice(0, 15) + text.slice(15).toUpperCase() ? null : long
}

function longId(short: string): string {
  const suffix = [0, 5, 10].map((start) => {
    const capitals = [...short.slice(start, start + 5)].map((letter, at) => (/[A-Z]/.test(letter) ? 2 ** at : 0))
    return letters[capitals.reduce((sum, bit) => sum + bit, 0)]
  })
  return short + suffix.join('')
}
