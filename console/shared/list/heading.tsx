import { UnstyledButton } from '@mantine/core'
import type { JSX } from 'react'
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '../icons.ts'
import type { Column } from './column.ts'

/** The order of a list: a value of the API's `sort`. */
export interface Sorting {
  readonly value: string
  onChange(value: string): void
}

/** The heading of a column. If the list can be sorted by it, it is a button. */
export function Heading<Row>({ column: { header, sort }, sorting }: { readonly column: Column<Row>; readonly sorting?: Sorting }): JSX.Element {
  const order = !sort || !sorting ? undefined : sorting.value === sort.up ? 'ascending' : sorting.value === sort.down ? 'descending' : 'none'
  return (
    // biome-ignore lint/a11y/useSemanticElements: the list is a grid of div elements, because it draws only the rows in view
    <div role="columnheader" aria-sort={order} className="list-cell" tabIndex={-1}>
      {sort && sorting ? (
        <UnstyledButton className="list-sort" onClick={() => sorting.onChange(order === 'descending' ? sort.up : sort.down)}>
          {header}
          {order === 'ascending' ? <IconArrowUp size={13} /> : order === 'descending' ? <IconArrowDown size={13} /> : <IconArrowsSort size={13} />}
        </UnstyledButton>
      ) : (
        header
      )}
    </div>
  )
}
