import { columnVisibilityFeature, tableFeatures, useTable } from '@tanstack/react-table'
import { useVirtualizer, type VirtualItem } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo } from 'react'
import { scaled } from '../font-size.ts'
import type { Column } from './column.ts'

/** The heights of rows, in pixels for text of the usual size. The style sheet has them too. */
const rowHeight = 38
const tallHeight = 68
const cardHeight = 104
/** The next page is loaded when this many loaded rows are left. */
const aheadBy = 60
const features = tableFeatures({ columnVisibilityFeature })

/** Whether there are more rows than those that are loaded, and how to load them. */
export interface MoreRows {
  readonly has: boolean
  readonly loading: boolean
  load(): void
}

interface RowsInViewOptions<Row> {
  /** The rows that are loaded so far. */
  readonly rows: readonly Row[]
  readonly columns: readonly Column<Row>[]
  /** Those of the columns that are drawn. */
  readonly shown: readonly Column<Row>[]
  readonly idOf: (row: Row) => string
  /** Whether rows are drawn as cards. */
  readonly narrow: boolean
  /** Whether rows have room for three lines. */
  readonly tall: boolean
  /** The element that scrolls. */
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly more: MoreRows | undefined
  /** How far the list is scrolled at first, in pixels. */
  readonly begins: number
}

/** A row that is drawn, and where. */
interface DrawnRow<Row> {
  readonly id: string
  readonly row: Row
  readonly item: VirtualItem
}

interface RowsInView<Row> {
  readonly drawn: readonly DrawnRow<Row>[]
  /** The numbers of the first and the last row that is drawn. */
  readonly first: number
  readonly last: number
  /** The height of all rows together, in pixels. */
  readonly height: number
  /** The height of one row, as far as it is known before it is drawn. */
  readonly rowHeight: number
  /** Measures the height of a card. */
  readonly measure: (element: Element | null) => void
  scrollTo(index: number): void
}

/** Finds the rows in view, and loads more when the end of those that are loaded comes near. */
export function useRowsInView<Row extends object>(options: RowsInViewOptions<Row>): RowsInView<Row> {
  const { rows, columns, shown, idOf, narrow, tall, scroller, more, begins } = options
  const height = scaled(narrow ? cardHeight : tall ? tallHeight : rowHeight)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    // With another function, the virtualizer measures all rows again.
    getItemKey: useCallback((index: number) => idOf(rows[index] as Row), [rows, idOf]),
    overscan: 8,
    initialOffset: begins,
  })
  // A card is higher than a row. When the window changes between the two, all heights that were measured are wrong.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the width is what it waits for
  useLayoutEffect(() => virtual.measure(), [narrow])
  const items = virtual.getVirtualItems()
  const first = items[0]?.index ?? 0
  const last = items.at(-1)?.index ?? -1
  useEffect(() => {
    if (more?.has && !more.loading && last >= rows.length - 1 - aheadBy) more.load()
  }, [more, last, rows.length])

  // The table holds only the rows in view: it does not sort or filter, the server does.
  const inView = useMemo(() => rows.slice(first, last + 1), [rows, first, last])
  const definitions = useMemo(() => columns.map(({ id, header }) => ({ id, header })), [columns])
  const table = useTable({
    features,
    data: inView as Row[],
    columns: definitions,
    getRowId: idOf,
    state: { columnVisibility: Object.fromEntries(columns.map(({ id }) => [id, shown.some((one) => one.id === id)])) },
  })
  const drawn = table.getRowModel().rows.flatMap(({ id, original }, at) => {
    const item = items[at]
    return item ? [{ id, row: original, item }] : []
  })
  return {
    drawn,
    first,
    last,
    height: virtual.getTotalSize(),
    rowHeight: height,
    measure: virtual.measureElement,
    scrollTo: (index) => virtual.scrollToIndex(index, { align: 'auto' }),
  }
}
