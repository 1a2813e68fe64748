/** Liquid's operators of order, with those that ask the same the other way round. */
export const mirrored: Readonly<Record<string, string>> = { '<': '>', '>': '<', '<=': '>=', '>=': '<=' }

/** Returns whether a comparison holds for null, which Liquid takes for 0 here, and so for a missing value. */
export function holdsForNull(operator: string, written: number | string): boolean {
  const [zero, other] = [0, Number(written)]
  switch (operator) {
    case '<':
      return zero < other
    case '>':
      return zero > other
    case '<=':
      return zero <= other
    default:
      return zero >= other
  }
}
