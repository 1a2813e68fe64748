import type { Key } from './segment.ts'

/** A part of what a search finds. */
export interface Source<Answer> {
  /** No row of this source comes before this key. */
  readonly bound: Key
  /** Returns the next rows, in the order of the list. No rows: there may be more. Null: there are no more. */
  next(): Answer
}

function compareKeys(a: Key, b: Key): number {
  return a.createdAt - b.createdAt || (a.uuid < b.uuid ? -1 : Number(a.uuid > b.uuid))
}

interface Opened<Answer, Row> {
  readonly source: Source<Answer>
  rows: readonly Row[]
  at: number
}

/**
 * Merges the rows of sources into one list. A row that two sources have is in the list once. Opens a source only
 * when its rows may come next. Yields the source whose next rows it needs. So the embedded store can answer at once,
 * and MongoDB can answer later.
 * @param limit how many rows the list has at most
 */
export function* merge<Answer, Row>(
  sources: readonly Source<Answer>[],
  keyOf: (row: Row) => Key,
  direction: 1 | -1,
  limit: number,
): Generator<Source<Answer>, readonly Row[], readonly Row[] | null> {
  const order = (a: Key, b: Key): number => direction * compareKeys(a, b)
  const unopened = [...sources].sort((a, b) => order(b.bound, a.bound))
  const opened = new Set<Opened<Answer, Row>>()
  const merged: Row[] = []
  while (merged.length < limit) {
    let best: { readonly from: Opened<Answer, Row>; readonly row: Row } | null = null
    for (const from of opened) {
      while (from.at === from.rows.length) {
        const rows = yield from.source
        if (rows === null) break
        from.rows = rows
        from.at = 0
      }
      const row = from.rows[from.at]
      if (row === undefined) opened.delete(from)
      else if (!best || order(keyOf(row), keyOf(best.row)) < 0) best = { from, row }
    }
    const next = unopened.at(-1)
    if (next && (!best || order(next.bound, keyOf(best.row)) <= 0)) {
      unopened.pop()
      opened.add({ source: next, rows: [], at: 0 })
    } else if (best) {
      const before = merged.at(-1)
      if (!before || order(keyOf(before), keyOf(best.row)) !== 0) merged.push(best.row)
      best.from.at += 1
    } else break
  }
  return merged
}
