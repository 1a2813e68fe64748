import { ActionIcon, Checkbox, Popover, Stack, Tooltip } from '@mantine/core'
import type { JSX } from 'react'
import { useAddress } from '../address.ts'
import { IconColumns3 } from '../icons.ts'
import { type Column, shownColumns } from './column.ts'

/** Returns the chosen columns of the list. The address has them (`columns`). */
export function useChosenColumns(): readonly string[] {
  return useAddress().all('columns')
}

/** A button that lets people choose the columns of a list. */
export function ColumnChooser<Row>({ columns }: { readonly columns: readonly Column<Row>[] }): JSX.Element {
  const { all, set } = useAddress()
  const shown = shownColumns(columns, all('columns')).map(({ id }) => id)
  return (
    <Popover position="bottom-end" withinPortal trapFocus returnFocus>
      {/* The button itself is the target: it names the dialog. */}
      <Tooltip label="Choose columns">
        <Popover.Target>
          <ActionIcon variant="default" size="lg" aria-label="Choose columns">
            <IconColumns3 size={18} stroke={1.6} />
          </ActionIcon>
        </Popover.Target>
      </Tooltip>
      <Popover.Dropdown>
        <Checkbox.Group label="Columns" value={shown} onChange={(chosen) => set({ columns: chosen })}>
          <Stack gap="xs" mt="xs">
            {columns.map(({ id, header }) => (
              <Checkbox key={id} value={id} label={header} disabled={shown.length === 1 && shown[0] === id} />
            ))}
          </Stack>
        </Checkbox.Group>
      </Popover.Dropdown>
    </Popover>
  )
}
