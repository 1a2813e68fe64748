import { Badge, Button, Group, Table as MantineTable, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { JSX } from 'react'
import { Link } from 'wouter'
import type { ConnectionUseView } from '../../../runtime/api/index.ts'
import { runsWith, usesOf } from '../../api/integrations.ts'
import { Foreign } from '../../shared/foreign.tsx'
import { addressOf, CaseLink } from '../../shared/links.tsx'
import { ProblemNote } from '../../shared/problem.tsx'
import { Table } from '../../shared/table.tsx'
import { Time } from '../../shared/time/time.tsx'
import { useMay } from '../../shell/who.ts'

const reasons: Readonly<Record<ConnectionUseView['chosen_by'], string>> = {
  slot: 'It names the slot',
  default: 'It is the default',
  only: 'It is the only one',
}

interface UsesProps {
  readonly connection: string
  readonly leaving?: boolean
}

/** The playbooks whose new runs use a connection. With `leaving`, also what happens to each without it. */
export function UsesList(props: UsesProps): JSX.Element {
  return useMay()('playbooks:read') ? <Uses {...props} /> : <Text c="dimmed">Your key lacks the permission playbooks:read.</Text>
}

function Uses({ connection, leaving = false }: UsesProps): JSX.Element {
  const { data, error, isPending, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(usesOf(connection))
  if (error) return <ProblemNote error={error} />
  if (isPending) return <Text c="dimmed">Looking for playbooks that use it …</Text>
  const uses = data.pages.flatMap(({ items }) => items)
  const more = hasNextPage && (
    <Button variant="subtle" size="xs" w="fit-content" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
      Look at more organizations
    </Button>
  )
  if (uses.length === 0)
    return (
      <Stack gap="xs" align="flex-start">
        <Text c="dimmed">No active playbook uses it{hasNextPage ? ' in the organizations looked at so far' : ''}.</Text>
        {more}
      </Stack>
    )
  return (
    <Stack gap="xs">
      <Table
        label="Playbooks that use it"
        headings={['Organization', 'Playbook', 'Slot', leaving ? 'Without this connection' : 'Why this connection', 'Skills']}
      >
        {uses.map((use) => (
          <UseRow key={`${use.organization_code} ${use.kind} ${use.playbook} ${use.slot}`} use={use} leaving={leaving} />
        ))}
      </Table>
      {more}
    </Stack>
  )
}

function UseRow({ use, leaving }: { readonly use: ConnectionUseView; readonly leaving: boolean }): JSX.Element {
  const [key = ''] = use.keys
  return (
    <MantineTable.Tr>
      <MantineTable.Td>
        <Foreign value={use.organization_code} />
      </MantineTable.Td>
      <MantineTable.Td>
        <Link href={`${addressOf.playbook(key)}${use.kind === 'sub_playbook' ? '?kind=sub_playbook' : ''}`}>
          <Foreign value={use.playbook} />
        </Link>
      </MantineTable.Td>
      <MantineTable.Td>
        <Foreign value={use.slot} />
        {use.optional && ' (optional)'}
      </MantineTable.Td>
      <MantineTable.Td>{leaving ? <Without use={use} /> : reasons[use.chosen_by]}</MantineTable.Td>
      <MantineTable.Td>
        <Group gap={4}>
          {use.skills.map((skill) => (
            <Text key={skill} size="sm" component="span">
              <Foreign value={skill.slice(skill.indexOf('.') + 1)} />
            </Text>
          ))}
        </Group>
      </MantineTable.Td>
    </MantineTable.Tr>
  )
}

function Without({ use: { without, optional } }: { readonly use: ConnectionUseView }): JSX.Element {
  if (without.instance !== null)
    return (
      <>
        <Foreign value={without.instance} /> takes over
      </>
    )
  return optional ? (
    <>Runs go on without it</>
  ) : (
    <Badge color="red" variant="light">
      New runs fail
    </Badge>
  )
}

/** The runs that use a connection and have not ended. */
export function RunsList(props: Pick<UsesProps, 'connection'>): JSX.Element {
  return useMay()('runs:read') ? <Runs {...props} /> : <Text c="dimmed">Your key lacks the permission runs:read.</Text>
}

function Runs({ connection }: Pick<UsesProps, 'connection'>): JSX.Element {
  const { data, error, isPending, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(runsWith(connection))
  if (error) return <ProblemNote error={error} />
  if (isPending) return <Text c="dimmed">Looking for runs that use it …</Text>
  const runs = data.pages.flatMap(({ items }) => items)
  return (
    <Stack gap="xs" align="flex-start">
      {runs.length === 0 && <Text c="dimmed">No run that has not ended uses it{hasNextPage ? ', among those looked at so far' : ''}.</Text>}
      {runs.map((run) => (
        <span key={run.run_id}>
          <Link href={addressOf.run(run.run_id)}>
            <Foreign value={run.playbook} />
          </Link>{' '}
          for <Foreign value={run.organization_code} />, {run.state}, case <CaseLink id={run.case_id} />, began <Time at={run.started_at} />
        </span>
      ))}
      {hasNextPage && (
        <Button variant="subtle" size="xs" w="fit-content" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Look at more runs
        </Button>
      )}
    </Stack>
  )
}
