import { Group, Text } from '@mantine/core'
import type { JSX } from 'react'
import type { AlertItemView } from '../../runtime/api/index.ts'
import { AlertStatusBadge } from '../shared/badges.tsx'
import { Foreign } from '../shared/foreign.tsx'
import type { Column } from '../shared/list/index.ts'
import { CaseCell } from '../shared/merged-note.tsx'
import { Time, When } from '../shared/time/time.tsx'

/** A column, and its value in a CSV file. */
export interface AlertColumn extends Column<AlertItemView> {
  readonly text: (alert: AlertItemView) => string
}

const time = (at: number | null): string => (at === null ? '' : new Date(at).toISOString())
const none = <span className="quiet">–</span>

/** An id that shows its number even where there is little room. */
function AlertId({ id }: { readonly id: string }): JSX.Element {
  const number = id.lastIndexOf('-')
  return (
    <span className="alert-id">
      <Foreign value={id.slice(0, number)} />
      <Foreign value={id.slice(number)} />
    </span>
  )
}

/** The columns of the Alerts page, in the words and the order of the specification (1.3). */
export const columns: readonly AlertColumn[] = [
  {
    id: 'id',
    header: 'ID',
    width: 150,
    cell: ({ alert_id }) => <AlertId id={alert_id} />,
    text: ({ alert_id }) => alert_id,
  },
  {
    id: 'org',
    header: 'ORG',
    width: 82,
    cell: ({ organization_code }) => <Foreign value={organization_code} />,
    text: ({ organization_code }) => organization_code,
  },
  {
    id: 'provider',
    header: 'PROVIDER',
    width: 86,
    cell: ({ alert_provider }) => <Foreign value={alert_provider} />,
    text: ({ alert_provider }) => alert_provider,
  },
  {
    id: 'name',
    header: 'ALERT NAME',
    width: 130,
    grow: 3,
    cell: ({ alert_name }) => <Foreign value={alert_name} />,
    text: ({ alert_name }) => alert_name,
  },
  {
    id: 'status',
    header: 'STATUS',
    width: 108,
    cell: ({ status_name }) => <AlertStatusBadge status={status_name} />,
    text: ({ status_name }) => status_name,
  },
  {
    id: 'created',
    header: 'CREATION TIME',
    width: 132,
    sort: { up: 'created_at', down: '-created_at' },
    cell: ({ created_at }) => <When at={created_at} />,
    text: ({ created_at }) => time(created_at),
  },
  {
    id: 'investigator',
    header: 'INVESTIGATOR',
    width: 110,
    grow: 1,
    cell: ({ investigator }) => (investigator === null ? none : <Foreign value={investigator} />),
    text: ({ investigator }) => investigator ?? '',
  },
  {
    id: 'case',
    header: 'CASE ID',
    width: 140,
    cell: ({ case_id, case_merged_into }) => (case_id === null ? none : <CaseCell id={case_id} into={case_merged_into} />),
    text: ({ case_id }) => case_id ?? '',
  },
  {
    id: 'completed',
    header: 'COMPLETION TIME',
    width: 132,
    cell: ({ completed_at }) => (completed_at === null ? none : <When at={completed_at} />),
    text: ({ completed_at }) => time(completed_at),
  },
  {
    id: 'content',
    header: 'Content',
    width: 70,
    grow: 1,
    cell: ({ alert_content_preview }) => (
      <span className="alert-preview">
        <Foreign value={alert_content_preview} />
      </span>
    ),
    text: ({ alert_content_preview }) => alert_content_preview,
  },
]

/** An alert as a card, for narrow windows. */
export function AlertCard({ alert }: { readonly alert: AlertItemView }): JSX.Element {
  const { alert_id, alert_name, status_name, created_at, organization_code, case_id, case_merged_into } = alert
  return (
    <>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text span fw={500} truncate>
          <Foreign value={alert_name} />
        </Text>
        <span className="kind">
          <AlertStatusBadge status={status_name} />
        </span>
      </Group>
      <Group gap="xs" mt={4}>
        <Text span ff="monospace" size="xs">
          <Foreign value={alert_id} />
        </Text>
        <Text span size="xs" c="dimmed">
          <Foreign value={organization_code} /> · <Time at={created_at} />
        </Text>
        {case_id !== null && <CaseCell id={case_id} into={case_merged_into} />}
      </Group>
    </>
  )
}
