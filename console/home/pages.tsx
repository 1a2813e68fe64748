import chartStyles from '@mantine/charts/styles.css?url'
import { Button, Group, SegmentedControl, SimpleGrid, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type JSX, lazy, Suspense } from 'react'
import { Link } from 'wouter'
import type { StatisticsView } from '../../runtime/api/index.ts'
import { Mentioned } from '../cases/mentions/mentioned.tsx'
import { useAddress } from '../shared/address.ts'
import { SeverityBadge } from '../shared/badges.tsx'
import { Foreign } from '../shared/foreign.tsx'
import { AlertLink, addressOf, CaseLink } from '../shared/links.tsx'
import { Page } from '../shared/page.tsx'
import { ProblemNote } from '../shared/problem.tsx'
import { Loading } from '../shared/states.tsx'
import { loadStyles } from '../shared/styles.ts'
import { spanOf } from '../shared/time/span.ts'
import { Time } from '../shared/time/time.tsx'
import { useMay } from '../shell/who.ts'
import { Block, ListBlock } from './block.tsx'
import { casesOf, connections, failedAlerts, mentions, newestAlert, standingPauses, statistics, urgentDecisions } from './queries.ts'

const AlertsPerHour = lazy(async () => {
  const [chart] = await Promise.all([import('./chart.tsx'), loadStyles(chartStyles)])
  return chart
})

/** What needs the person now, and how the last hours went. What the key may not read is left out. */
export default function Home(): JSX.Element {
  const may = useMay()
  return (
    <Page title="Home">
      {may('alerts:read') && may('organizations:write') && <Beginning />}
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        {may('decisions:read') && (
          <ListBlock
            title="Open decisions"
            all="/decisions"
            query={urgentDecisions}
            keyOf={({ id }) => id}
            none="Nobody has to decide anything."
            show={({ id, title, expires_at }) => (
              <>
                <Link href={addressOf.decision(id)}>
                  <Foreign value={title} />
                </Link>
                <span className="quiet">{expires_at === null ? 'no deadline' : <Time at={expires_at} />}</span>
              </>
            )}
          />
        )}
        {may('cases:read') &&
          (['me', 'nobody'] as const).map((assignee) => (
            <ListBlock
              key={assignee}
              title={assignee === 'me' ? 'My cases' : 'Unassigned cases'}
              all={`/cases?assignee=${assignee}`}
              query={casesOf(assignee)}
              keyOf={({ case_id }) => case_id}
              none={assignee === 'me' ? 'No open case is assigned to you.' : 'Every open case is assigned to somebody.'}
              show={({ case_id, title, severity }) => (
                <>
                  <span>
                    <CaseLink id={case_id} /> <Foreign value={title} />
                  </span>
                  <span className="kind">
                    <SeverityBadge severity={severity} />
                  </span>
                </>
              )}
            />
          ))}
        {may('cases:read') && (
          <ListBlock
            title="Mentions of me"
            all="/cases/mentions"
            query={mentions}
            keyOf={({ case_uuid, entry }) => `${case_uuid} ${entry}`}
            none="No comment mentions you."
            show={(mention) => <Mentioned mention={mention} />}
          />
        )}
        {may('alerts:read') && (
          <ListBlock
            title="Failed investigations"
            all="/alerts?status=Failed"
            query={failedAlerts}
            keyOf={({ alert_id }) => alert_id}
            none="No investigation has failed."
            show={({ alert_id, alert_name, completed_at, created_at }) => (
              <>
                <span>
                  <AlertLink id={alert_id} /> <Foreign value={alert_name} />
                </span>
                <span className="quiet">
                  <Time at={completed_at ?? created_at} />
                </span>
              </>
            )}
          />
        )}
        {may('pauses:read') && (
          <ListBlock
            title="Paused"
            all="/settings"
            query={standingPauses}
            keyOf={({ id }) => id}
            none="Nothing is paused."
            show={({ what, paused_by, reason }) => <Foreign value={`${what}, by ${paused_by}${reason === null ? '' : `: ${reason}`}`} />}
          />
        )}
        {may('connections:read') && (
          <ListBlock
            title="Connections that fail or expire"
            all="/integrations"
            query={connections}
            keep={({ expired, expires_soon, last_test }) => expired || expires_soon || last_test?.ok === false}
            keyOf={({ id }) => id}
            none="Every connection is well."
            show={({ id, integration, instance, expired, expires_at, last_test }) => (
              <>
                <Link href={addressOf.connection(integration, id)}>
                  <Foreign value={`${integration}: ${instance}`} />
                </Link>
                <span className="quiet">
                  {last_test?.ok === false ? 'its test failed' : expired ? 'expired ' : 'expires '}
                  {last_test?.ok !== false && expires_at !== null && <Time at={expires_at} />}
                </span>
              </>
            )}
          />
        )}
      </SimpleGrid>
      {may('alerts:read') && <LastHours />}
    </Page>
  )
}

/** Offers the first run while no alert has arrived. */
function Beginning(): JSX.Element | null {
  const { data } = useQuery(newestAlert)
  if (data === undefined || data.items.length > 0) return null
  return (
    <div className="home-beginning">
      <Block title="No alert has arrived yet">
        <Group justify="space-between">
          <Text size="sm">Seven steps lead from here to the first case. They take about five minutes.</Text>
          <Button component={Link} href="/start">
            Begin the first run
          </Button>
        </Group>
      </Block>
    </div>
  )
}

function LastHours(): JSX.Element {
  const { get, set } = useAddress()
  const hours = get('hours') === '168' ? 168 : 24
  const by = get('by') === 'provider' ? 'provider' : 'outcome'
  const { data, error } = useQuery(statistics(hours))
  return (
    <div className="home-hours">
      <Block title="Alerts per hour" all={`/alerts?since=${hours}`}>
        <Group gap="sm" mb="sm">
          <SegmentedControl
            size="xs"
            aria-label="Time range"
            data={[
              { value: '24', label: '24 hours' },
              { value: '168', label: '7 days' },
            ]}
            value={String(hours)}
            onChange={(value) => set({ hours: value === '24' ? null : value })}
          />
          <SegmentedControl
            size="xs"
            aria-label="Bars"
            data={[
              { value: 'outcome', label: 'By outcome' },
              { value: 'provider', label: 'By provider' },
            ]}
            value={by}
            onChange={(value) => set({ by: value === 'outcome' ? null : value })}
          />
          {data && <Figures statistics={data} />}
        </Group>
        {error && <ProblemNote error={error} />}
        {data && (
          <Suspense fallback={<Loading what="Loading the chart" />}>
            <AlertsPerHour statistics={data} by={by} />
          </Suspense>
        )}
      </Block>
    </div>
  )
}

function Figures({ statistics: { alerts, complete, from } }: { readonly statistics: StatisticsView }): JSX.Element {
  const { count, p50, p95 } = alerts.time_to_verdict
  return (
    <Text size="sm" c="dimmed">
      {alerts.total.toLocaleString('en')} alerts.{' '}
      {count === 0 ? 'No verdict yet.' : `Time to verdict: half within ${spanOf(p50)}, 95 % within ${spanOf(p95)}.`}
      {!complete && (
        <>
          {' '}
          There are too many for the whole range; these are since <Time at={from} />.
        </>
      )}
    </Text>
  )
}
