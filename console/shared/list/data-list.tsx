import { Checkbox, Loader, Text, VisuallyHidden } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { columnVisibilityFeature, tableFeatures, useTable } from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type CSSProperties,
  type JSX,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useShortcut } from '../../shell/shortcuts.tsx'
import { Empty, Loading } from '../states.tsx'
import { type Column, shownColumns } from './column.ts'
import { useChosenColumns } from './column-chooser.tsx'
import { Heading, type Sorting } from './heading.tsx'
import { ListRow } from './list-row.tsx'

const rowHeight = 38
const cardHeight = 104
/** The next page is loaded when this many loaded rows are left. */
const aheadBy = 60
const features = tableFeatures({ columnVisibilityFeature })

/** Which rows are selected, for actions on several at once. */
interface Selection {
  readonly ids: ReadonlySet<string>
  onChange(ids: ReadonlySet<string>): void
}

interface DataListProps<Row> {
  /** What the list shows: `Alerts`. */
  readonly label: string
  readonly columns: readonly Column<Row>[]
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
  readonly more?: { readonly has: boolean; readonly loading: boolean; load(): void }
  /** The first rows are being loaded. */
  readonly pending: boolean
  /** What the list shows instead of rows. Null: nobody knows whether there are any. */
  readonly empty: { readonly title: string; readonly text?: ReactNode } | null
  /** A row as a card, for windows too narrow for columns. */
  readonly card: (row: Row) => ReactNode
}

/**
 * A list of any length. It draws only the rows in view. Up and down (or j and k) move, Enter opens, x selects. End goes to the last
 * row, even if the rows before it are not loaded yet. The chosen columns are in the address.
 */
export function DataList<Row extends object>(props: DataListProps<Row>): JSX.Element | null {
  const { label, columns, rows, idOf, onOpen, openId = null, selection, sorting, more, pending, empty, card } = props
  const narrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false }) ?? false
  const scroller = useRef<HTMLDivElement>(null)
  const base = useId()
  const chosen = useChosenColumns()
  const [currentId, setCurrent] = useState<string | null>(null)
  const [toEnd, setToEnd] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address returns a new list of the same ids each time
  const shown = useMemo(() => shownColumns(columns, chosen), [columns, chosen.join()])
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (narrow ? cardHeight : rowHeight),
    // With another function, the virtualizer measures all rows again.
    getItemKey: useCallback((index: number) => idOf(rows[index] as Row), [rows, idOf]),
    overscan: 8,
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
  const currentAt = useMemo(() => rows.findIndex((row) => idOf(row) === (currentId ?? openId)), [rows, idOf, currentId, openId])
  const moveTo = (at: number): void => {
    const index = Math.max(0, Math.min(rows.length - 1, at))
    const row = rows[index]
    if (row === undefined) return
    setCurrent(idOf(row))
    virtual.scrollToIndex(index, { align: 'auto' })
    // While a row is open beside the list, moving opens the next one.
    if (openId !== null) onOpen(row)
  }
  const current = rows[currentAt]
  const toggle = useCallback(
    (id: string): void => {
      if (!selection) return
      const ids = new Set(selection.ids)
      if (!ids.delete(id)) ids.add(id)
      selection.onChange(ids)
    },
    [selection],
  )
  const atEnd = !more?.has
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page that arrives moves on to its last row
  useEffect(() => {
    if (!toEnd) return
    if (atEnd) {
      setToEnd(false)
      moveTo(rows.length - 1)
    } else virtual.scrollToIndex(rows.length - 1)
  }, [toEnd, atEnd, rows.length])
  useShortcut('j', 'Next row', rows.length > 0 ? () => moveTo(currentAt + 1) : null, 'List')
  useShortcut('k', 'Previous row', rows.length > 0 ? () => moveTo(currentAt < 0 ? 0 : currentAt - 1) : null, 'List')
  useShortcut('o', 'Open the row', current ? () => onOpen(current) : null, 'List')
  useShortcut('x', 'Select the row', selection && current ? () => toggle(idOf(current)) : null, 'List')

  const stay = (): void => setToEnd(false)
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    setToEnd(event.key === 'End' && event.target === event.currentTarget)
    if (event.target !== event.currentTarget) return
    const inView = Math.floor(event.currentTarget.clientHeight / (narrow ? cardHeight : rowHeight)) - 1
    const moves: Record<string, number> = {
      ArrowDown: currentAt + 1,
      ArrowUp: currentAt < 0 ? 0 : currentAt - 1,
      Home: 0,
      PageDown: currentAt + inView,
      PageUp: currentAt - inView,
    }
    const at = moves[event.key]
    if (event.key === 'End') event.preventDefault()
    else if (at !== undefined) {
      event.preventDefault()
      moveTo(at)
    } else if (event.key === 'Enter' && current) onOpen(current)
    else if (event.key === ' ' && current && selection) {
      event.preventDefault()
      toggle(idOf(current))
    }
  }

  const onClick = ({ target, defaultPrevented }: MouseEvent): void => {
    const element = target as Element
    const row = rows[Number(element.closest('[data-index]')?.getAttribute('data-index') ?? -1)]
    if (row === undefined || defaultPrevented || element.closest('a, button, input, label')) return
    setCurrent(idOf(row))
    onOpen(row)
  }

  if (pending) return <Loading what={`Loading ${label.toLowerCase()}`} />
  if (rows.length === 0) return empty && <Empty title={empty.title}>{empty.text}</Empty>
  const template = [
    ...(selection ? ['40px'] : []),
    ...shown.map(({ width, grow = 0 }) => (grow > 0 ? `minmax(${width}px, ${grow}fr)` : `${width}px`)),
  ]
  const least = shown.reduce((sum, { width }) => sum + width, selection ? 40 : 0)
  const allSelected = selection !== undefined && selection.ids.size >= rows.length && rows.every((row) => selection.ids.has(idOf(row)))
  return (
    <div className="list-frame">
      {/* biome-ignore lint/a11y/useSemanticElements: a table element cannot draw only the rows in view with a grid of columns */}
      <div
        ref={scroller}
        className={narrow ? 'list cards' : 'list'}
        role="grid"
        aria-label={label}
        aria-rowcount={more?.has ? -1 : rows.length + 1}
        aria-colcount={shown.length + (selection ? 1 : 0)}
        aria-multiselectable={selection !== undefined}
        aria-activedescendant={current && currentAt >= first && currentAt <= last ? `${base}-${currentAt}` : undefined}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onClick={onClick}
        onPointerOver={tellCut}
        onWheel={stay}
        onPointerDown={stay}
        style={{ '--columns': template.join(' '), '--least': `${least}px` } as CSSProperties}
      >
        {/* biome-ignore lint/a11y/useSemanticElements: see above */}
        <div role="row" aria-rowindex={1} className="list-head" tabIndex={-1}>
          {selection && (
            // biome-ignore lint/a11y/useSemanticElements: see above
            <div role="columnheader" className="list-cell" tabIndex={-1}>
              <Checkbox
                size="xs"
                aria-label="Select all loaded rows"
                checked={allSelected}
                indeterminate={!allSelected && selection.ids.size > 0}
                onChange={() => selection.onChange(allSelected ? new Set() : new Set(rows.map(idOf)))}
              />
            </div>
          )}
          {shown.map((column) => (
            <Heading key={column.id} column={column} {...(sorting && { sorting })} />
          ))}
        </div>
        {/* biome-ignore lint/a11y/useSemanticElements: see above */}
        <div role="rowgroup" className="list-body" style={{ height: virtual.getTotalSize() }}>
          {table.getRowModel().rows.map(({ id, original }, at) => {
            const item = items[at]
            return (
              item && (
                <ListRow
                  key={item.key}
                  row={original}
                  id={id}
                  elementId={`${base}-${item.index}`}
                  index={item.index}
                  start={item.start}
                  columns={shown}
                  card={narrow ? card : null}
                  measure={virtual.measureElement}
                  opened={id === openId}
                  current={item.index === currentAt}
                  selected={selection ? selection.ids.has(id) : null}
                  onToggle={toggle}
                />
              )
            )
          })}
        </div>
      </div>
      <div className="list-foot" role="status">
        {toEnd ? (
          <Text size="xs" c="dimmed">
            Going to the end: {rows.length.toLocaleString('en')} rows so far. Any other key stops.
          </Text>
        ) : more?.loading ? (
          <Loader size="xs" aria-label="Loading more" />
        ) : (
          <VisuallyHidden>{rows.length} rows are loaded.</VisuallyHidden>
        )}
        {!more?.has && rows.length > 20 && (
          <Text size="xs" c="dimmed">
            These are all.
          </Text>
        )}
      </div>
    </div>
  )
}

/** Shows the whole text of a cell that is too narrow for it. */
function tellCut({ target }: PointerEvent): void {
  const cell = (target as Element).closest<HTMLElement>('.list-cell')
  if (cell && [cell, ...cell.children].some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)) cell.title = cell.textContent ?? ''
}
