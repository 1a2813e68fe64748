import { Table as MantineTable } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import type { JSX, ReactNode } from 'react'

/** The least width of a column, in pixels. A narrower one would break names and badges apart. */
const leastColumn = 120

/** A short table. If it is wider than the window, it scrolls on its own. Long lists use `DataList`. */
export function Table({ headings, children }: { readonly headings: readonly string[]; readonly children: ReactNode }): JSX.Element {
  const least = headings.length * leastColumn
  const { ref, width } = useElementSize()
  const scrolls = width > 0 && width < least
  return (
    <MantineTable.ScrollContainer ref={ref} minWidth={least} type="native" {...(scrolls && { tabIndex: 0 })}>
      <MantineTable verticalSpacing="xs">
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
