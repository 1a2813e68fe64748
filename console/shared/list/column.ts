import type { ReactNode } from 'react'

/** A column of a list. */
export interface Column<Row> {
  readonly id: string
  /** Its heading, in the words of the specification where it has any. */
  readonly header: string
  readonly cell: (row: Row) => ReactNode
  /** Its least width, in pixels for text of the usual size. */
  readonly width: number
  /** Its share of the width that is left. 0 or absent: none. */
  readonly grow?: number
  /** Whether it is shown only if somebody chooses it. */
  readonly optional?: boolean
  /** The values of the list's `sort` for this column. Absent: the list cannot be sorted by it. */
  readonly sort?: { readonly up: string; readonly down: string }
}

/** Returns the columns that are shown. `chosen` are ids; empty: nobody has chosen, so all that are not optional. */
export function shownColumns<Row>(columns: readonly Column<Row>[], chosen: readonly string[]): readonly Column<Row>[] {
  const shown = columns.filter(({ id, optional = false }) => (chosen.length === 0 ? !optional : chosen.includes(id)))
  return shown.length === 0 ? columns : shown
}
