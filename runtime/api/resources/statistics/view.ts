import { type AlertOutcome, alertOutcomes, percentileOf } from '../../../domain/index.ts'
import { type Static, Type } from '../../../schema/index.ts'
import { nullable, oneOf, Time } from '../../schemas.ts'
import type { Figures, PlaybookFigures } from './gather.ts'

const Duration = nullable(Type.Integer({ description: 'Milliseconds, within 3 %. Null: none has ended.' }))

const outcome = oneOf(
  alertOutcomes,
  'open: its investigation has not ended. duplicate: it repeats another one. stored: it has no type and is not investigated.',
)

const PlaybookSchema = Type.Object({
  playbook: Type.String(),
  runs: Type.Integer(),
  completed: Type.Integer(),
  failed: Type.Integer(),
  open: Type.Integer({ description: 'Running or waiting.' }),
  success_rate: nullable(Type.Number({ description: 'completed / (completed + failed), from 0 to 1. Null: none has ended.' })),
  duration_p50: Duration,
  duration_p95: Duration,
  last_started_at: Time,
})

export const StatisticsSchema = Type.Object(
  {
    from: Time,
    to: Time,
    complete: Type.Boolean({ description: 'false: there were too many, and only those since `from` are counted.' }),
    alerts: Type.Object({
      total: Type.Integer(),
      hours: Type.Array(
        Type.Object({
          hour: Type.Integer({ description: 'Its beginning, in epoch milliseconds.' }),
          provider: nullable(Type.String({ description: 'In lower case. Null: all other providers together.' })),
          outcome,
          count: Type.Integer(),
        }),
        { description: 'Hours in which something was created, oldest first.' },
      ),
      time_to_verdict: Type.Object(
        { count: Type.Integer(), p50: Duration, p95: Duration },
        { description: 'From creation to completion, over the completed alerts.' },
      ),
    }),
    playbooks: Type.Union(
      [Type.Null(), Type.Array(PlaybookSchema, { description: 'Those with the most runs first, at most 200. Undos are not counted.' })],
      { description: 'Null: the key lacks runs:read.' },
    ),
  },
  { $id: 'Statistics', description: 'Figures about the last hours.', additionalProperties: false },
)
export type Statistics = Static<typeof StatisticsSchema>

/** The largest providers have figures of their own. */
const ownProviders = 8
const mostPlaybooks = 200

export function statisticsView({ from, to, complete, alerts, runs }: Figures): Statistics {
  return {
    from,
    to,
    complete,
    alerts: {
      total: alerts.hours.reduce((sum, { count }) => sum + count, 0),
      hours: hoursView(alerts.hours),
      time_to_verdict: {
        count: [...alerts.verdicts.values()].reduce((sum, count) => sum + count, 0),
        p50: percentileOf(alerts.verdicts, 0.5),
        p95: percentileOf(alerts.verdicts, 0.95),
      },
    },
    playbooks:
      runs === null
        ? null
        : [...runs]
            .map(playbookView)
            .sort((one, other) => other.runs - one.runs)
            .slice(0, mostPlaybooks),
  }
}

/** Adds up the providers beyond the largest ones. */
function hoursView(hours: Figures['alerts']['hours']): Statistics['alerts']['hours'] {
  const totals = new Map<string, number>()
  for (const { provider, count } of hours) totals.set(provider, (totals.get(provider) ?? 0) + count)
  const largest = [...totals].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)).slice(0, ownProviders)
  const own = new Set(largest.map(([provider]) => provider))
  const sums = new Map<string, { hour: number; provider: string | null; outcome: AlertOutcome; count: number }>()
  for (const { hour, provider: code, outcome, count } of hours) {
    const provider = own.has(code) ? code : null
    const key = JSON.stringify([hour, provider, outcome])
    const sum = sums.get(key) ?? { hour, provider, outcome, count: 0 }
    sum.count += count
    sums.set(key, sum)
  }
  return [...sums.values()].sort((one, other) => one.hour - other.hour)
}

function playbookView([playbook, { states, durations, lastStartedAt }]: [string, PlaybookFigures]): Static<typeof PlaybookSchema> {
  const { running = 0, waiting = 0, completed = 0, failed = 0 } = states
  return {
    playbook,
    runs: running + waiting + completed + failed,
    completed,
    failed,
    open: running + waiting,
    success_rate: completed + failed === 0 ? null : completed / (completed + failed),
    duration_p50: percentileOf(durations, 0.5),
    duration_p95: percentileOf(durations, 0.95),
    last_started_at: lastStartedAt,
  }
}
