import { Alert, Button, Group, Table as MantineTable, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { JSX } from 'react'
import type { ConnectionAnswer } from '../../../runtime/api/index.ts'
import { ask } from '../../api/ask.ts'
import { connectionPath } from '../../api/integrations.ts'
import { Foreign } from '../../shared/foreign.tsx'
import { ProblemNote } from '../../shared/problem.tsx'
import { Table } from '../../shared/table.tsx'
import { type Draft, draftOf } from './draft.ts'

interface ConflictProps {
  /** The connection as it was when the form was opened. */
  readonly standing: ConnectionAnswer
  readonly draft: Draft
  onTheirs(current: ConnectionAnswer): void
  onMine(current: ConnectionAnswer): void
}

/** Shows what somebody else has changed in the meantime, beside what is in the form. */
export function ConflictNote({ standing, draft, onTheirs, onMine }: ConflictProps): JSX.Element {
  const { data: current, error } = useQuery({
    queryKey: ['connections', 'one', standing.id],
    queryFn: ({ signal }) => ask<ConnectionAnswer>('GET', connectionPath(standing.id), undefined, signal),
    staleTime: 0,
  })
  if (error) return <ProblemNote error={error} />
  if (!current) return <Alert color="yellow">Reading what changed …</Alert>
  const rows = differences(draftOf(standing), draftOf(current), draft)
  return (
    <Alert color="yellow" role="alert" title="Somebody else has changed this connection">
      <Stack gap="sm">
        {rows.length === 0 ? (
          <span>They changed secrets, or nothing that this form shows.</span>
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
function differences(before: Draft, theirs: Draft, mine: Draft): readonly { name: string; theirs: string; yours: string }[] {
  const flat = ({ fields, paste: _paste, ...rest }: Draft): Record<string, unknown> => ({ ...rest, ...fields })
  const [old, other, own] = [flat(before), flat(theirs), flat(mine)]
  return [...new Set([...Object.keys(old), ...Object.keys(other)])]
    .filter((name) => JSON.stringify(old[name]) !== JSON.stringify(other[name]))
    .map((name) => ({ name, theirs: shown(other[name]), yours: shown(own[name]) }))
}

function shown(value: unknown): string {
  return value === undefined || value === null || value === '' ? '—' : Array.isArray(value) ? value.join(', ') : String(value)
}
