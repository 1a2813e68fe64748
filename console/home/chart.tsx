import { BarChart } from '@mantine/charts'
import { Table, VisuallyHidden } from '@mantine/core'
import type { JSX } from 'react'
import type { StatisticsView } from '../../runtime/api/index.ts'
import { withOffset } from '../shared/time/with-offset.ts'

type Outcome = StatisticsView['alerts']['hours'][number]['outcome']

const outcomes: readonly { readonly name: Outcome; readonly label: string; readonly color: string }[] = [
  { name: 'completed', label: 'Completed', color: 'teal.6' },
  { name: 'failed', label: 'Failed', color: 'red.7' },
  { name: 'open', label: 'In progress', color: 'harbour.5' },
  { name: 'duplicate', label: 'Duplicate', color: 'gray.5' },
  { name: 'stored', label: 'Not investigated', color: 'gray.7' },
]
const colours = ['harbour.6', 'teal.6', 'orange.6', 'grape.6', 'cyan.6', 'lime.7', 'pink.6', 'indigo.5', 'gray.6'] as const
const hour = 3_600_000
// The day too: seven days begin and end in the same hour of the week.
const clock = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' })

interface ChartProps {
  readonly statistics: StatisticsView
  readonly by: 'outcome' | 'provider'
}

/** Alerts per hour as stacked bars, and the same as a table for screen readers. */
export default function AlertsPerHour({ statistics: { alerts, from, to }, by }: ChartProps): JSX.Element {
  const series =
    by === 'outcome'
      ? outcomes.filter(({ name }) => alerts.hours.some(({ outcome }) => outcome === name))
      : [...new Set(alerts.hours.map(({ provider }) => provider))].map((provider, at) => ({
          name: provider ?? 'others',
          label: provider ?? 'others',
          color: colours[at % colours.length] ?? 'gray.6',
        }))
  const rows = new Map<number, Record<string, number | string>>()
  for (let at = from - (from % hour); at < to; at += hour) rows.set(at, { hour: withOffset(at, clock.format(at)) })
  for (const { hour: at, outcome, provider, count } of alerts.hours) {
    const row = rows.get(at)
    const name = by === 'outcome' ? outcome : (provider ?? 'others')
    if (row) row[name] = Number(row[name] ?? 0) + count
  }
  const data = [...rows.values()]
  return (
    <>
      <div aria-hidden>
        <BarChart
          h={220}
          data={data}
          dataKey="hour"
          type="stacked"
          series={[...series]}
          withLegend
          barProps={{ isAnimationActive: false }}
          barChartProps={{ accessibilityLayer: false }}
        />
      </div>
      <VisuallyHidden>
        <Table>
          <Table.Caption>Alerts per hour, by {by}</Table.Caption>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Hour</Table.Th>
              {series.map(({ name, label }) => (
                <Table.Th key={name}>{label}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {[...rows].map(([at, row]) => (
              <Table.Tr key={at}>
                <Table.Th>{row['hour']}</Table.Th>
                {series.map(({ name }) => (
                  <Table.Td key={name}>{row[name] ?? 0}</Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </VisuallyHidden>
    </>
  )
}
