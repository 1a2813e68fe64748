import { type JSX, memo, type ReactNode } from 'react'
import type { Column } from './column.ts'

interface ListRowProps<Row> {
  readonly row: Row
  readonly id: string
  /** The id of its element. */
  readonly elementId: string
  /** Its number in the list, from 0. */
  readonly index: number
  /** The distance of its top from the first row, in pixels. */
  readonly start: number
  readonly columns: readonly Column<Row>[]
  /** Draws the row as a card. Null: it has a cell for each column. */
  readonly card: ((row: Row) => ReactNode) | null
  /** Measures the height of a card. */
  readonly measure: (element: Element | null) => void
  /** Whether it is open beside the list. */
  readonly opened: boolean
  /** Whether the keys act on it. */
  readonly current: boolean
  /** Null if the rows of this list cannot be selected. */
  readonly selected: boolean | null
  readonly onToggle: (id: string) => void
}

/** A row. While somebody scrolls, only the rows that come into view are drawn: all its properties stay the same for the others. */
export const ListRow = memo(function ListRow<Row>(props: ListRowProps<Row>): JSX.Element {
  const { row, id, elementId, index, start, columns, card, measure, opened, current, selected, onToggle } = props
  return (
    // biome-ignore lint/a11y/useSemanticElements: the list is a grid of div elements, because it draws only the rows in view
    <div
      id={elementId}
      data-index={index}
      ref={card ? measure : undefined}
      role="row"
      tabIndex={-1}
      aria-rowindex={index + 2}
      aria-selected={selected ?? opened}
      className={`list-row${opened ? ' opened' : ''}${current ? ' current' : ''}`}
      style={{ transform: `translateY(${start}px)` }}
    >
      {selected !== null && (
        <Cell>
          <input type="checkbox" className="list-check" aria-label={`Select ${id}`} checked={selected} onChange={() => onToggle(id)} />
        </Cell>
      )}
      {card ? (
        // biome-ignore lint/a11y/useSemanticElements: see above
        <div role="gridcell" className="list-card" tabIndex={-1}>
          {card(row)}
        </div>
      ) : (
        columns.map((column) => <Cell key={column.id}>{column.cell(row)}</Cell>)
      )}
    </div>
  )
}) as <Row>(props: ListRowProps<Row>) => JSX.Element

function Cell({ children }: { readonly children: ReactNode }): JSX.Element {
  return (
    // biome-ignore lint/a11y/useSemanticElements: see above
    <div role="gridcell" className="list-cell" tabIndex={-1}>
      {children}
    </div>
  )
}
