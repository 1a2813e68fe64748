import { Checkbox } from '@mantine/core'
import type { JSX } from 'react'
import type { Column } from './column.ts'
import { Heading, type Sorting } from './heading.tsx'
import type { Selection } from './use-row-moves.ts'

interface ListHeadProps<Row> {
  /** The rows that are loaded so far. */
  readonly rows: readonly Row[]
  readonly idOf: (row: Row) => string
  readonly columns: readonly Column<Row>[]
  readonly selection: Selection | undefined
  readonly sorting: Sorting | undefined
}

/** The headings of the columns, and a box that selects all loaded rows. */
export function ListHead<Row>({ rows, idOf, columns, selection, sorting }: ListHeadProps<Row>): JSX.Element {
  const allSelected = selection !== undefined && selection.ids.size >= rows.length && rows.every((row) => selection.ids.has(idOf(row)))
  return (
    // biome-ignore lint/a11y/useSemanticElements: the list is a grid of div elements, because it draws only the rows in view
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
      {columns.map((column) => (
        <Heading key={column.id} column={column} {...(sorting && { sorting })} />
      ))}
    </div>
  )
}
