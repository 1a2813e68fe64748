import { ActionIcon, Group, Stack, Table, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { JSX, ReactNode } from 'react'
import { Link } from 'wouter'
import type { AlertDetailsView } from '../../runtime/api/index.ts'
import { AlertStatusBadge, CaseStatusBadge, DispositionBadge, RunStateBadge, SeverityBadge } from '../shared/badges.tsx'
import { Copy } from '../shared/copy.tsx'
import { Foreign } from '../shared/foreign.tsx'
import { IconX } from '../shared/icons.ts'
import { AlertLink, addressOf, CaseLink, RunLink } from '../shared/links.tsx'
import { MergedNote } from '../shared/merged-note.tsx'
import { useTitle } from '../shared/page.tsx'
import { ProblemNote } from '../shared/problem.tsx'
import { Loading } from '../shared/states.tsx'
import { Time, When } from '../shared/time/time.tsx'
import { useShortcut } from '../shell/shortcuts.tsx'
import { useMay } from '../shell/who.ts'
import { Acts } from './acts.tsx'
import { Content } from './content.tsx'
import { Observables } from './observables.tsx'
import { oneAlert } from './queries.ts'
import { Waits } from './waits.tsx'

/** An alert, beside the list. */
export function AlertPanel({ id, onClose }: { readonly id: string; readonly onClose: () => void }): JSX.Element {
  const { data, error, isPending } = useQuery(oneAlert(id))
  useTitle(data ? `${data.alert_id} ${data.alert_name}` : id)
  useShortcut('Escape', 'Close the alert', onClose, 'Alert')
  return (
    <section className="beside" aria-label="Alert">
      <Group justify="space-between" wrap="nowrap" align="flex-start" className="beside-head">
        <div>
          <Title order={2}>
            <Foreign value={data?.alert_name ?? id} />
          </Title>
          <Group gap={4}>
            <Text size="xs" ff="monospace" c="dimmed">
              <Foreign value={data?.alert_id ?? id} />
            </Text>
            <Copy value={data?.alert_id ?? id} what="the alert id" />
            {data && <AlertStatusBadge status={data.status_name} />}
          </Group>
        </div>
        <ActionIcon variant="subtle" color="gray" aria-label="Close the alert" onClick={onClose}>
          <IconX size={18} />
        </ActionIcon>
      </Group>
      {isPending && <Loading what="Loading the alert" />}
      {error && <ProblemNote error={error} />}
      {data && <Shown alert={data} />}
    </section>
  )
}

function Shown({ alert }: { readonly alert: AlertDetailsView }): JSX.Element {
  return (
    <Stack gap="lg" className="beside-body">
      <Waits alert={alert} />
      <Acts alert={alert} />
      <Facts alert={alert} />
      <Part title="Case">
        <TheCase alert={alert} />
      </Part>
      <Part title="Content">
        <Content content={alert.alert_content} />
      </Part>
      <Part title="Observables">
        <Observables observables={alert.observables} more={alert.more_observables} />
      </Part>
      <Part title="Runs">
        <Runs alert={alert} />
      </Part>
      <Part title="Duplicates">
        <Duplicates alert={alert} />
      </Part>
    </Stack>
  )
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }): JSX.Element {
  return (
    <section aria-label={title}>
      <Title order={3} mb={6}>
        {title}
      </Title>
      {children}
    </section>
  )
}

const none = <span className="quiet">–</span>

function Facts({ alert }: { readonly alert: AlertDetailsView }): JSX.Element {
  const may = useMay()
  const facts: readonly (readonly [string, ReactNode])[] = [
    ['Org', <Foreign key="org" value={alert.organization_code} />],
    ['Provider', <Foreign key="provider" value={alert.alert_provider} />],
    ['Type', alert.alert_type === null ? 'none: it is not investigated' : <Foreign key="type" value={alert.alert_type} />],
    ['Investigator', alert.investigator === null ? none : <Investigator key="playbook" alert={alert} linked={may('playbooks:read')} />],
    ['Creation time', <When key="created" at={alert.created_at} />],
    ['At the source', alert.created_at_source === null ? none : <When key="source" at={alert.created_at_source} />],
    ['Completion time', alert.completed_at === null ? none : <When key="completed" at={alert.completed_at} />],
    ['Retries', String(alert.investigation_retry_count)],
  ]
  return (
    <dl className="alert-facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The name of the playbook. It leads to what is active for the alert's type now. */
function Investigator({ alert, linked }: { readonly alert: AlertDetailsView; readonly linked: boolean }): JSX.Element {
  const name = <Foreign value={alert.investigator ?? ''} />
  if (!linked || alert.alert_type === null) return name
  return <Link href={addressOf.playbook(alert.alert_type)}>{name}</Link>
}

function TheCase({ alert: { case: found } }: { readonly alert: AlertDetailsView }): JSX.Element {
  if (found === null)
    return (
      <Text size="sm" c="dimmed">
        It has no case yet.
      </Text>
    )
  return (
    <Stack gap={6}>
      <Group gap="xs">
        <CaseLink id={found.case_id} />
        <CaseStatusBadge status={found.status} />
        <SeverityBadge severity={found.severity} />
        <DispositionBadge disposition={found.disposition} />
      </Group>
      <MergedNote into={found.merged_into} />
      <Text size="sm">
        <Foreign value={found.title} />
      </Text>
      {found.summary !== null && (
        <Text size="sm" c="dimmed">
          <Foreign value={found.summary} />
        </Text>
      )}
    </Stack>
  )
}

function Runs({ alert: { runs } }: { readonly alert: AlertDetailsView }): JSX.Element {
  if (runs.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No run has begun.
      </Text>
    )
  return (
    <Table verticalSpacing={6}>
      <Table.Thead>
        <Table.Tr>
          {['Attempt', 'State', 'Playbook', 'Started', 'Run'].map((heading) => (
            <Table.Th key={heading}>{heading}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {runs.map((run) => (
          <Table.Tr key={run.run_id}>
            <Table.Td>{run.attempt}</Table.Td>
            <Table.Td>
              <RunStateBadge state={run.state} />
              {run.failure !== null && (
                <Text size="xs" className="problem">
                  <Foreign value={`${run.failure.code}: ${run.failure.message}`} />
                </Text>
              )}
            </Table.Td>
            <Table.Td>
              <Foreign value={run.playbook} />
            </Table.Td>
            <Table.Td>
              <Time at={run.started_at} />
            </Table.Td>
            <Table.Td className="run-id">
              <RunLink id={run.run_id} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function Duplicates({ alert }: { readonly alert: AlertDetailsView }): JSX.Element {
  if (alert.duplicate_of !== null)
    return (
      <Text size="sm">
        It repeats <AlertLink id={alert.duplicate_of} />, which is investigated instead.
      </Text>
    )
  if (alert.duplicates === 0)
    return (
      <Text size="sm" c="dimmed">
        No alert repeats it.
      </Text>
    )
  return (
    <Link href={`/alerts?duplicate_of=${encodeURIComponent(alert.alert_id)}`}>
      {alert.duplicates === 1 ? '1 alert repeats it' : `${alert.duplicates.toLocaleString('en')} alerts repeat it`}
    </Link>
  )
}
