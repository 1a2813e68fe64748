import { useMediaQuery } from '@mantine/hooks'
import { type CSSProperties, type JSX, type MouseEvent, type PointerEvent, type ReactNode, useId, useLayoutEffect, useMemo, useRef } from 'react'
import { Empty, Loading } from '../states.tsx'
import { type Column, shownColumns } from './column.ts'
import { useChosenColumns } from './column-chooser.tsx'
import type { Sorting } from './heading.tsx'
import { ListFoot } from './list-foot.tsx'
import { ListHead } from './list-head.tsx'
import { ListRow } from './list-row.tsx'
import { usePlace } from './place.ts'
import { type Selection, useRowMoves } from './use-row-moves.ts'
import { type MoreRows, useRowsInView } from './use-rows-in-view.ts'

interface DataListProps<Row> {
  /** What the list shows: `Alerts`. */
  readonly label: string
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

/**
 * A list of any length. It draws only the rows in view. Up and down (or j and k) move, Enter opens, x selects. End goes to the last
 * row, even if the rows before it are not loaded yet. The chosen columns are in the address. Whoever comes back finds the place again.
 */
export function DataList<Row extends object>(props: DataListProps<Row>): JSX.Element | null {
  const { label, columns, tall = false, rows, idOf, onOpen, openId = null, selection, sorting, more, pending, empty, card } = props
  const narrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false }) ?? false
  const scroller = useRef<HTMLDivElement>(null)
  const base = useId()
  const chosen = useChosenColumns()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address returns a new list of the same ids each time
  const shown = useMemo(() => shownColumns(columns, chosen), [columns, chosen.join()])
  const place = usePlace(label, scroller)
  const view = useRowsInView({ rows, columns, shown, idOf, narrow, tall, scroller, more, begins: place.begins.top })
  const moves = useRowMoves({
    rows,
    idOf,
    onOpen,
    openId,
    begins: place.begins.current,
    selection,
    atEnd: !more?.has,
    rowHeight: view.rowHeight,
    scrollTo: view.scrollTo,
  })
  useLayoutEffect(() => place.note({ current: moves.currentId }))

  const onClick = ({ target, defaultPrevented }: MouseEvent): void => {
    const element = target as Element
    const row = rows[Number(element.closest('[data-index]')?.getAttribute('data-index') ?? -1)]
    if (row === undefined || defaultPrevented || element.closest('a, button, input, label')) return
    moves.setCurrent(row)
    // The list may be gone before it is drawn again.
    place.note({ current: idOf(row) })
    onOpen(row)
  }

  if (pending) return <Loading what={`Loading ${label.toLowerCase()}`} />
  if (rows.length === 0) return empty && <Empty title={empty.title}>{empty.text}</Empty>
  const inView = moves.currentAt >= view.first && moves.currentAt <= view.last
  return (
    <div className="list-frame">
      {/* biome-ignore lint/a11y/useSemanticElements: a table element cannot draw only the rows in view with a grid of columns */}
      <div
        ref={scroller}
        className={narrow ? 'list cards' : tall ? 'list tall' : 'list'}
        role="grid"
        aria-label={label}
        aria-rowcount={more?.has ? -1 : rows.length + 1}
        aria-colcount={shown.length + (selection ? 1 : 0)}
        aria-multiselectable={selection !== undefined}
        aria-activedescendant={moves.current && inView ? `${base}-${moves.currentAt}` : undefined}
        tabIndex={0}
        onKeyDown={moves.onKeyDown}
        onClick={onClick}
        onPointerOver={tellCut}
        onScroll={({ currentTarget: { scrollTop } }) => place.note({ top: scrollTop })}
        onWheel={moves.stay}
        onPointerDown={moves.stay}
        style={widthsOf(shown, selection !== undefined)}
      >
        <ListHead rows={rows} idOf={idOf} columns={shown} selection={selection} sorting={sorting} />
        {/* biome-ignore lint/a11y/useSemanticElements: see above */}
        <div role="rowgroup" className="list-body" style={{ height: view.height }}>
          {view.drawn.map(({ id, row, item }) => (
            <ListRow
              key={item.key}
              row={row}
              id={id}
              elementId={`${base}-${item.index}`}
              index={item.index}
              start={item.start}
              columns={shown}
              card={narrow ? card : null}
              measure={view.measure}
              opened={id === openId}
              current={item.index === moves.currentAt}
              selected={selection ? selection.ids.has(id) : null}
              onToggle={moves.toggle}
            />
          ))}
        </div>
      </div>
      <ListFoot count={rows.length} toEnd={moves.toEnd} more={more} />
    </div>
  )
}

const checkboxWidth = 40

/** Returns the widths of the columns for the style sheet, and the least width of a row. */
function widthsOf<Row>(columns: readonly Column<Row>[], selectable: boolean): CSSProperties {
  const template = columns.map(({ width, grow = 0 }) => (grow > 0 ? `minmax(${width}px, ${grow}fr)` : `${width}px`))
  if (selectable) template.unshift(`${checkboxWidth}px`)
  const least = columns.reduce((sum, { width }) => sum + width, selectable ? checkboxWidth : 0)
  return { '--columns': template.join(' '), '--least': `${least}px` } as CSSProperties
}

/** Shows the whole text of a cell that is too narrow for it. */
function tellCut({ target }: PointerEvent): void {
  const cell = (target as Element).closest<HTMLElement>('.list-cell')
  const link = cell?.querySelector('a, .lines')
  const below = link ? link.scrollHeight > link.clientHeight : false
  if (cell && (below || [cell, ...cell.children].some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)))
    cell.title = cell.textContent ?? ''
}
