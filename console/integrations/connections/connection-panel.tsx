import { Badge, Button, Group, Paper, Stack, Table, Text, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type JSX, type ReactNode, useState } from 'react'
import type { ConnectionAnswer, IntegrationView } from '../../../runtime/api/index.ts'
import { testConnection } from '../../api/integrations.ts'
import { AuditLink } from '../../settings/audit/audit-link.tsx'
import { Foreign } from '../../shared/foreign.tsx'
import { ProblemNote } from '../../shared/problem.tsx'
import { Time } from '../../shared/time/time.tsx'
import { useWho } from '../../shell/who.ts'
import { healthOf, healthWords } from '../words.ts'
import { RemoveDialog } from './remove-dialog.tsx'
import { TestResult } from './test-result.tsx'
import { RunsList, UsesList } from './uses-list.tsx'

interface PanelProps {
  readonly integration: IntegrationView
  readonly connection: ConnectionAnswer
  /** Whether the key may change, test and remove it. */
  readonly mayWrite: boolean
  onChange(): void
  onRemoved(): void
}

/** One connection: what is set, how its last test went, and who uses it. */
export function ConnectionPanel({ integration, connection, mayWrite, onChange, onRemoved }: PanelProps): JSX.Element {
  const [removing, setRemoving] = useState(false)
  const queries = useQueryClient()
  const test = useMutation({
    mutationFn: () => testConnection(connection.id),
    onSettled: () => void queries.invalidateQueries({ queryKey: ['connections'] }),
  })
  const { word, color } = healthWords[healthOf(connection)]
  const shared = connection.organization_code === null
  const { all_organizations: all } = useWho()
  const result = test.data ?? connection.last_test
  return (
    <Paper withBorder p="md" component="section" aria-label={`Connection ${connection.instance}`}>
      <Stack gap="md">
        <Group justify="space-between">
          <Group gap="sm">
            <Title order={2} size="h4">
              <Foreign value={connection.instance} />
            </Title>
            <Badge color={color} variant="light">
              {word}
            </Badge>
            {connection.is_default && <Badge variant="outline">Default</Badge>}
          </Group>
          {mayWrite && (!shared || all) && (
            <Group gap="xs">
              <Button size="xs" loading={test.isPending} onClick={() => !test.isPending && test.mutate()}>
                Test
              </Button>
              <Button size="xs" variant="default" onClick={onChange}>
                Change
              </Button>
              <Button size="xs" variant="light" color="red" onClick={() => setRemoving(true)}>
                Remove
              </Button>
            </Group>
          )}
        </Group>
        {shared && (
          <Text size="sm" c="dimmed">
            Shared by all organizations: {all ? 'a change affects each of them' : 'only a key of all organizations may test or change it'}.
          </Text>
        )}
        {connection.description !== '' && <Foreign value={connection.description} />}
        {test.error && <ProblemNote error={test.error} />}
        {result && <TestResult test={result} />}
        <Facts integration={integration} connection={connection} />
        <Title order={3} size="h5">
          Who uses it
        </Title>
        <UsesList connection={connection.id} />
        <Title order={3} size="h5">
          Runs that have not ended
        </Title>
        <RunsList connection={connection.id} />
      </Stack>
      {removing && <RemoveDialog connection={connection} onClose={() => setRemoving(false)} onRemoved={onRemoved} />}
    </Paper>
  )
}

function Facts({ integration, connection }: Pick<PanelProps, 'integration' | 'connection'>): JSX.Element {
  const { expires_at: expiry, role, last_test: test, organization_code: organization, slots, remote_agent: agent } = connection
  return (
    <Table variant="vertical" layout="fixed" aria-label="Details">
      <Table.Tbody>
        <Fact label="Organization">{organization === null ? 'All' : <Foreign value={organization} />}</Fact>
        {integration.credentials.map(({ name, label, secret }) => (
          <Fact key={name} label={label}>
            <Credential value={connection.credentials[name]} set={secret && connection.secrets_set.includes(name)} />
          </Fact>
        ))}
        <Fact label="Expiry">{expiry === null ? 'Never' : <Time at={expiry} />}</Fact>
        {integration.roles.length > 0 && (
          <Fact label="Role">{role ?? (test?.role ? `${test.role}, as the system says` : 'Not known, so no skill is refused because of it')}</Fact>
        )}
        {slots.length > 0 && (
          <Fact label="Slots">
            <Foreign value={slots.join(', ')} />
          </Fact>
        )}
        {agent !== null && (
          <Fact label="Remote agent">
            <Foreign value={agent} />
          </Fact>
        )}
        <Fact label="Created">
          <Created connection={connection} />
        </Fact>
        <Fact label="Revision">
          {connection.revision} <AuditLink about={connection.id} />
        </Fact>
      </Table.Tbody>
    </Table>
  )
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }): JSX.Element {
  return (
    <Table.Tr>
      <Table.Th w={180}>{label}</Table.Th>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>{children}</Table.Td>
    </Table.Tr>
  )
}

/** @param set whether it is a secret that has a value */
function Credential({ value, set }: { readonly value: unknown; readonly set: boolean }): JSX.Element {
  if (set) return <Badge variant="light">Set</Badge>
  return value === undefined || value === '' ? <Text c="dimmed">Not set</Text> : <Foreign value={String(value)} />
}

function Created({ connection }: { readonly connection: ConnectionAnswer }): JSX.Element {
  return (
    <Text component="span" size="sm">
      <Time at={connection.created_at} />
      {connection.created_by_name !== null && (
        <>
          {' '}
          by <Foreign value={connection.created_by_name} />
        </>
      )}
    </Text>
  )
}
