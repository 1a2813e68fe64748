import { Anchor, Badge, Group, List, Spoiler, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { JSX } from 'react'
import { Link } from 'wouter'
import type { CaseDetailsView, TimelineEntryView } from '../../runtime/api/index.ts'
import { oneCase } from '../api/queries.ts'
import { SeverityBadge } from '../shared/badges.tsx'
import { Foreign, Json } from '../shared/foreign.tsx'
import { addressOf } from '../shared/links.tsx'
import { ProblemNote } from '../shared/problem.tsx'
import { Loading } from '../shared/states.tsx'
import { Time } from '../shared/time/time.tsx'
import { useMay } from '../shell/who.ts'

/** The height of the findings at first, in pixels. */
const height = 260
/** The most alerts that are named. */
const mostAlerts = 5
const colours: Readonly<Record<string, string>> = { info: 'gray', low: 'blue', medium: 'yellow', high: 'orange', critical: 'red' }

/** What the run has found so far, and the alert that began it. Shows nothing if the key may not read cases. */
export function Evidence({ caseId }: { readonly caseId: string }): JSX.Element | null {
  const mayLook = useMay()('cases:read')
  const { data, error, isPending } = useQuery({ ...oneCase(caseId), enabled: mayLook })
  if (!mayLook) return null
  return (
    <section aria-label="Evidence">
      <Title order={2}>Evidence</Title>
      {isPending && <Loading what="Loading the evidence" />}
      {error && <ProblemNote error={error} />}
      {data && <Found found={data} />}
    </section>
  )
}

function Found({ found }: { readonly found: CaseDetailsView }): JSX.Element {
  const findings = found.timeline.filter(({ kind }) => kind === 'finding').toReversed()
  return (
    <>
      <Group gap={6} my={6}>
        <SeverityBadge severity={found.severity} />
        <Text fw={600} size="sm">
          <Foreign value={found.title} />
        </Text>
      </Group>
      <Text size="sm" c="dimmed">
        {found.alerts.length === 1 ? 'Alert' : 'Alerts'}{' '}
        {found.alerts.slice(0, mostAlerts).map(({ alert_id }, at) => (
          <span key={alert_id}>
            {at > 0 && ', '}
            <Anchor component={Link} href={addressOf.alert(alert_id)} size="sm" underline="always">
              <Foreign value={alert_id} />
            </Anchor>
          </span>
        ))}
        {found.alerts.length > mostAlerts && ` and ${found.alerts.length - mostAlerts} more`}
      </Text>
      {findings.length === 0 && (
        <Text size="sm" my={6}>
          The run has recorded no finding yet. Its steps and the timeline of the case are below.
        </Text>
      )}
      <Spoiler maxHeight={height} showLabel="Show all findings" hideLabel="Show fewer">
        <List listStyleType="none" spacing={6} my={6}>
          {findings.map((entry) => (
            <List.Item key={entry.id}>
              <Finding entry={entry} />
            </List.Item>
          ))}
        </List>
      </Spoiler>
    </>
  )
}

function Finding({ entry: { risk = 'info', title = '', evidence, at } }: { readonly entry: TimelineEntryView }): JSX.Element {
  return (
    <>
      <Badge tt="capitalize" color={colours[risk] ?? 'gray'}>
        {risk}
      </Badge>{' '}
      <Foreign value={title} />{' '}
      <Text span size="xs" c="dimmed">
        <Time at={at} />
      </Text>
      {evidence !== undefined && evidence !== null && (
        <details>
          <summary>What was found</summary>
          <Json value={evidence} label={`Evidence of: ${title}`} />
        </details>
      )}
    </>
  )
}
