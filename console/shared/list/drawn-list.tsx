import { useMediaQuery } from '@mantine/hooks'
import {
  type CSSProperties,
  type JSX,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react'
import { inRem } from '../font-size.ts'
import { type Column, shownColumns } from './column.ts'
import { useChosenColumns } from './column-chooser.tsx'
import { ListFoot } from './list-foot.tsx'
import { ListHead } from './list-head.tsx'
import { ListRow } from './list-row.tsx'
import type { KeptPlace } from './place.ts'
import type { DataListProps } from './props.ts'
import { type ListFocus, useKeptFocus } from './use-kept-focus.ts'
import { useRowMoves } from './use-row-moves.ts'
import { useRowsInView } from './use-rows-in-view.ts'

interface DrawnListProps<Row> extends DataListProps<Row> {
  readonly place: KeptPlace
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly focus: RefObject<ListFocus>
}

/** Windows in which rows are cards. A row that is open takes half of the width, and the columns that matter would not fit beside it. */
const narrowAlone = '(max-width: 48em)'
const narrowBeside = '(max-width: 88em)'

/** The headings and the rows of a list that has rows. It begins at `place`, each time it is drawn anew. */
export function DrawnList<Row extends object>(props: DrawnListProps<Row>): JSX.Element {
  const { label, columns, tall = false, rows, idOf, onOpen, openId = null, selection, sorting, more, card, place, scroller, focus } = props
  const narrow = useMediaQuery(openId === null ? narrowAlone : narrowBeside, undefined, { getInitialValueInEffect: false }) ?? false
  const base = useId()
  const chosen = useChosenColumns()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address returns a new list of the same ids each time
  const shown = useMemo(() => shownColumns(columns, chosen), [columns, chosen.join()])
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
  useKeptFocus(scroller, focus)
  const wasNarrow = useRef(narrow)
  useEffect(() => {
    if (wasNarrow.current === narrow) return
    wasNarrow.current = narrow
    // Cards are higher than rows, so another row would be in sight.
    if (moves.currentAt >= 0) view.scrollTo(moves.currentAt)
  }, [narrow, moves.currentAt, view.scrollTo])

  const onClick = ({ target, defaultPrevented }: MouseEvent): void => {
    const element = target as Element
    const row = rows[Number(element.closest('[data-index]')?.getAttribute('data-index') ?? -1)]
    if (row === undefined || defaultPrevented || element.closest('a, button, input, label')) return
    moves.setCurrent(row)
    // The list may be gone before it is drawn again.
    place.note({ current: idOf(row) })
    onOpen(row)
  }

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
  const template = columns.map(({ width, grow = 0 }) => (grow > 0 ? `minmax(${inRem(width)}, ${grow}fr)` : inRem(width)))
  if (selectable) template.unshift(inRem(checkboxWidth))
  const least = columns.reduce((sum, { width }) => sum + width, selectable ? checkboxWidth : 0)
  return { '--columns': template.join(' '), '--least': inRem(least) } as CSSProperties
}

/** Shows the whole text of a cell that is too narrow for it. */
function tellCut({ target }: PointerEvent): void {
  const cell = (target as Element).closest<HTMLElement>('.list-cell')
  const link = cell?.querySelector('a, .lines')
  const below = link ? link.scrollHeight > link.clientHeight : false
  if (cell && (below || [cell, ...cell.children].some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)))
    cell.title = cell.textContent ?? ''
}
