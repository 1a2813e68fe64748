import type { ReactNode } from 'react'
import type { Column } from './column.ts'
import type { Sorting } from './heading.tsx'
import type { Selection } from './use-row-moves.ts'
import type { MoreRows } from './use-rows-in-view.ts'

export interface DataListProps<Row> {
  /** What the list shows: `Alerts`. */
  readonly label: string
  /** Its filters and its order. When they change, other rows are shown, from the first one. */
  readonly of: string
  readonly columns: readonly Column<Row>[]
  /** Whether rows have room for three lines of a link, or of what has the class `lines`. */
  readonly tall?: boolean
  /** The rows that are loaded so far. */
  readonly rows: readonly Row[]
  readonly idOf: (row: Row) => string
  /** Opens a row: by click, or with Enter. */
  readonly onOpen: (row: Row) => void
  /** The row that is open beside the list. */
  readonly openId?: string | null
  readonly selection?: Selection
  readonly sorting?: Sorting
  /** Whether there are more rows, and how to load them. */
  readonly more?: MoreRows
  /** The first rows are being loaded. */
  readonly pending: boolean
  /** What the list shows instead of rows. Null: nobody knows whether there are any. */
  readonly empty: { readonly title: string; readonly text?: ReactNode } | null
  /** A row as a card, for windows too narrow for columns. */
  readonly card: (row: Row) => ReactNode
}
