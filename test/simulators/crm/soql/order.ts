import type { Value } from '../org/row.ts'

export interface Criterion<T> {
  readonly value: (row: T) => Value
  readonly descending: boolean
  readonly nullsLast: boolean
}

/** Sorts rows. Equal rows keep their order. Texts are compared ignoring case. */
export function ordered<T>(rows: readonly T[], criteria: readonly Criterion<T>[]): readonly T[] {
  if (criteria.length === 0) return rows
  return [...rows].sort((left, right) => {
    for (const { value, descending, nullsLast } of criteria) {
      const [a, b] = [comparable(value(left)), comparable(value(right))]
      if (a === b) continue
      if (a === null) return nullsLast ? 1 : -1
      if (b === null) return nullsLast ? -1 : 1
      return (a < b ? -1 : 1) * (descending ? -1 : 1)
    }
    return 0
  })
}

function comparable(value: Value): Value {
  return typeof value === 'string' ? value.toLowerCase() : value
}
