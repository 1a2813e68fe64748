import { Table as MantineTable } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import type { JSX, ReactNode } from 'react'
import { scaled } from './font-size.ts'

/** The least width of a column, in pixels for text of the usual size. A narrower one would break names and badges apart. */
const leastColumn = 120

/** Below this width, in pixels for text of the usual size, a table of three columns or more shows each row as a list. Nobody should scroll sideways on a phone. */
const leastTable = 480

interface TableProps {
  /** At most seven: the style sheet has a rule for each. */
  readonly headings: readonly string[]
  /** What a screen reader calls the table, if no heading of the page does. */
  readonly label?: string
  /** The rows, each with a cell for each heading. */
  readonly children: ReactNode
}

/** A short table. If it does not fit the window, it scrolls on its own, or on a phone shows each row as a list. Long lists use `DataList`. */
export function Table({ headings, label, children }: TableProps): JSX.Element {
  const least = headings.length * leastColumn
  const { ref, width } = useElementSize()
  const stacked = width > 0 && width < scaled(leastTable) && headings.length > 2
  const scrolls = !stacked && width > 0 && width < scaled(least)
  return (
    <MantineTable.ScrollContainer ref={ref} minWidth={stacked ? 0 : least} type="native" {...(scrolls && { tabIndex: 0 })}>
      <MantineTable verticalSpacing="xs" aria-label={label} className={stacked ? 'stacked' : 'short'} {...(stacked && { style: labelsOf(headings) })}>
        <MantineTable.Thead>
          <MantineTable.Tr>
            {headings.map((heading) => (
              <MantineTable.Th key={heading} scope="col">
                {heading}
              </MantineTable.Th>
            ))}
          </MantineTable.Tr>
        </MantineTable.Thead>
        <MantineTable.Tbody>{children}</MantineTable.Tbody>
      </MantineTable>
    </MantineTable.ScrollContainer>
  )
}

/** Returns the headings as CSS variables, `--label-1: "Now"`. The style sheet writes them before the cells. */
function labelsOf(headings: readonly string[]): Readonly<Record<`--label-${number}`, string>> {
  return Object.fromEntries(headings.map((heading, at) => [`--label-${at + 1}`, JSON.stringify(heading)]))
}
