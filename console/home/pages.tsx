import chartStyles from '@mantine/charts/styles.css?url'
import { Button, Group, SegmentedControl, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type JSX, lazy, Suspense } from 'react'
import { Link } from 'wouter'
import type { StatisticsView } from '../../runtime/api/index.ts'
import { useAddress } from '../shared/address.ts'
import { Page } from '../shared/page.tsx'
import { ProblemNote } from '../shared/problem.tsx'
import { Loading } from '../shared/states.tsx'
import { loadStyles } from '../shared/styles.ts'
import { spanOf } from '../shared/time/span.ts'
import { Time } from '../shared/time/time.tsx'
import { useMay } from '../shell/who.ts'
import { Block } from './block.tsx'
import { FailedInvestigations, FailingConnections, Mentions, OpenCases, OpenDecisions, Paused } from './blocks.tsx'
import { newestAlert, statistics } from './queries.ts'

const AlertsPerHour = lazy(async () => {
  const [chart] = await Promise.all([import('./chart.tsx'), loadStyles(chartStyles)])
  return chart
})

/** What needs the person now beside what nobody looks after, and how the last hours went. What the key may not read is left out. */
export default function Home(): JSX.Element {
  const may = useMay()
  return (
    <Page title="Home">
      {may('alerts:read') && may('organizations:write') && <Beginning />}
      <div className="home-columns">
        <div>
          {may('decisions:read') && <OpenDecisions />}
          {may('cases:read') && <OpenCases assignee="me" />}
          {may('cases:read') && <Mentions />}
          {may('pauses:read') && <Paused />}
        </div>
        <div>
          {may('cases:read') && <OpenCases assignee="nobody" />}
          {may('alerts:read') && <FailedInvestigations />}
          {may('connections:read') && <FailingConnections />}
        </div>
      </div>
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
