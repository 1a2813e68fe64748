import { Alert, Button, Group, Table as MantineTable, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { JSX } from 'react'
import { ask } from '../../api/ask.ts'
import { Foreign } from '../foreign.tsx'
import { ProblemNote } from '../problem.tsx'
import { Table } from '../table.tsx'

/** The fields of a form, by the names that people see. */
type Fields = Readonly<Record<string, unknown>>

interface ConflictProps<Standing> {
  /** What has changed: `connection`. */
  readonly what: string
  /** Where the API has it. */
  readonly path: string
  /** The object as it was when the form was opened. */
  readonly standing: Standing
  /** What is in the form. */
  readonly mine: Fields
  /** What they may have changed although the form does not show it. */
  readonly unseen?: string
  fieldsOf(standing: Standing): Fields
  onTheirs(current: Standing): void
  onMine(current: Standing): void
}

/** Shows what somebody else has changed in the meantime, beside what is in the form. */
export function ConflictNote<Standing>(props: ConflictProps<Standing>): JSX.Element {
  const { what, path, standing, mine, unseen = 'nothing that this form shows', fieldsOf, onTheirs, onMine } = props
  const { data: current, error } = useQuery({
    queryKey: ['conflict', path],
    queryFn: ({ signal }) => ask<Standing>('GET', path, undefined, signal),
    // Whatever was read before may be what they have replaced.
    staleTime: 0,
    gcTime: 0,
  })
  if (error) return <ProblemNote error={error} />
  if (!current) return <Alert color="yellow">Reading what changed …</Alert>
  const rows = differences(fieldsOf(standing), fieldsOf(current), mine)
  return (
    <Alert color="yellow" role="alert" title={`Somebody else has changed this ${what}`}>
      <Stack gap="sm">
        {rows.length === 0 ? (
          <span>They changed {unseen}.</span>
        ) : (
          <Table headings={['Field', 'Theirs', 'Yours']}>
            {rows.map(({ name, theirs, yours }) => (
              <MantineTable.Tr key={name}>
                <MantineTable.Td>{name}</MantineTable.Td>
                <MantineTable.Td>
                  <Foreign value={theirs} />
                </MantineTable.Td>
                <MantineTable.Td>
                  <Foreign value={yours} />
                </MantineTable.Td>
              </MantineTable.Tr>
            ))}
          </Table>
        )}
        <Group>
          <Button size="xs" onClick={() => onTheirs(current)}>
            Start again from theirs
          </Button>
          <Button size="xs" variant="default" onClick={() => onMine(current)}>
            Keep mine, then save again
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}

/** The fields that the other person has changed. */
function differences(old: Fields, other: Fields, own: Fields): readonly { name: string; theirs: string; yours: string }[] {
  return [...new Set([...Object.keys(old), ...Object.keys(other)])]
    .filter((name) => JSON.stringify(old[name]) !== JSON.stringify(other[name]))
    .map((name) => ({ name, theirs: shown(other[name]), yours: shown(own[name]) }))
}

function shown(value: unknown): string {
  return value === undefined || value === null || value === '' ? '—' : Array.isArray(value) ? value.join(', ') : String(value)
}
