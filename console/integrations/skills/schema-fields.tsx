import { Table as MantineTable, Text } from '@mantine/core'
import type { JSX } from 'react'
import { Foreign } from '../../shared/foreign.tsx'
import { Table } from '../../shared/table.tsx'
import { schemaRows } from './schema-rows.ts'

/** The fields of a skill's input or output, from its schema. */
export function SchemaFields({ label, schema }: { readonly label: string; readonly schema: unknown }): JSX.Element {
  const rows = schemaRows(schema)
  if (rows.length === 0) return <Text c="dimmed">The schema names no fields.</Text>
  return (
    <Table label={`${label} fields`} headings={['Field', 'Type', 'Required', 'Meaning']}>
      {rows.map(({ path, type, required, description }) => (
        <MantineTable.Tr key={path}>
          <MantineTable.Td>
            <code>{path}</code>
          </MantineTable.Td>
          <MantineTable.Td>{type}</MantineTable.Td>
          <MantineTable.Td>{required ? 'Yes' : 'No'}</MantineTable.Td>
          <MantineTable.Td>
            <Foreign value={description} />
          </MantineTable.Td>
        </MantineTable.Tr>
      ))}
    </Table>
  )
}
