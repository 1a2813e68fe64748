import { Badge, Table as MantineTable, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { JSX } from 'react'
import { Link } from 'wouter'
import type { PlaybookUseView } from '../../runtime/api/index.ts'
import { Foreign } from '../shared/foreign.tsx'
import { addressOf } from '../shared/links.tsx'
import { ProblemNote } from '../shared/problem.tsx'
import { Empty, Loading } from '../shared/states.tsx'
import { Table } from '../shared/table.tsx'
import { pageOf } from './addresses.ts'
import { type Place, usesOf } from './queries.ts'

/** The organizations that use a playbook, and the connection that each of its slots has there. */
export function Uses({ place }: { readonly place: Place }): JSX.Element {
  const { data, error, isPending } = useQuery(usesOf(place))
  if (isPending) return <Loading />
  if (error) return <ProblemNote error={error} />
  if (data.items.length === 0) return <Empty title="There is no organization yet" />
  return (
    <>
      <Table headings={['Organization', 'Uses', 'Connections']}>
        {data.items.map((use) => (
          <MantineTable.Tr key={use.organization_code}>
            <MantineTable.Td>
              <Foreign value={use.organization_code} />
            </MantineTable.Td>
            <MantineTable.Td>
              {use.uses === 'this' ? 'this playbook' : <Link href={pageOf({ ...place, organization: use.organization_code })}>its own playbook</Link>}
            </MantineTable.Td>
            <MantineTable.Td>
              <Slots slots={use.slots} />
            </MantineTable.Td>
          </MantineTable.Tr>
        ))}
      </Table>
      {data.next_cursor !== null && (
        <Text size="sm" c="dimmed">
          The first {data.items.length} organizations. The API lists all of them.
        </Text>
      )}
    </>
  )
}

function Slots({ slots }: { readonly slots: PlaybookUseView['slots'] }): JSX.Element {
  if (slots.length === 0) return <span className="quiet">none needed</span>
  return (
    <>
      {slots.map(({ slot, integration, instance, connection_id: id, optional, why }) => (
        <Text key={slot} size="sm" component="div">
          {slot}:{' '}
          {instance !== null && id !== null ? (
            <Link href={addressOf.connection(integration, id)}>
              <Foreign value={instance} />
            </Link>
          ) : optional ? (
            <span className="quiet">no connection (optional)</span>
          ) : (
            <>
              <Badge color="red">No connection</Badge> <Foreign value={why ?? ''} />
            </>
          )}
        </Text>
      ))}
    </>
  )
}
