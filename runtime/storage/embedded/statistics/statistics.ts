import { type AlertUuid, asId, type RunId, type Scope, stepSlack, stepsPerDoubling } from '../../../domain/index.ts'
import type { AlertFigures, RunFigures, StatisticsPart, StatisticsStore } from '../../port/index.ts'
import { alertTables, apartOf, inOrder, wantedOrganizations } from '../alerts/index.ts'
import type { Synchronous } from '../database/index.ts'
import { listParameter, type Row, type Sql, scopeParameter } from '../database/index.ts'

const hour = 3_600_000

/** Counts the durations between two columns by the steps of the scale. */
const stepOf = (from: string, to: string): string => `CAST(floor(log2(max(${to} - ${from}, 1)) * ${stepsPerDoubling} + ${stepSlack}) AS INTEGER)`

const rangeOf = (at: string, id: string, organization: string, { organizations, after }: StatisticsPart<string>): string =>
  `(:scope IS NULL OR ${organization} IN (SELECT value FROM json_each(:scope)))
   ${organizations ? `AND ${organization} IN (SELECT value FROM json_each(:organizations))` : ''}
   AND ${at} >= :from AND ${at} < :to ${after ? `AND (${at}, ${id}) < (:afterAt, :afterId)` : ''}`

/** The alerts of a part, those of each organization by its index. */
const alertPart = (scope: Scope, part: StatisticsPart<AlertUuid>): string =>
  `WITH part AS MATERIALIZED (${inOrder(
    `a.created_at AS at, a.uuid AS id, a.provider_folded AS provider, s.completed_at,
    CASE WHEN s.duplicate_of IS NOT NULL THEN 'duplicate' WHEN a.type_key IS NULL THEN 'stored' WHEN s.status = 15 THEN 'completed'
      WHEN s.status = 20 THEN 'failed' ELSE 'open' END AS outcome`,
    alertTables,
    wantedOrganizations(scope, part),
    rangeOf('a.created_at', 'a.uuid', 'a.organization', part),
    'ORDER BY at DESC, id DESC LIMIT :examine',
  )})`

const runPart = (part: StatisticsPart<RunId>): string => `WITH part AS MATERIALIZED (
  SELECT started_at AS at, id, pins ->> '$.playbook.name' AS playbook, state, ended_at, undo
  FROM runs INDEXED BY runs_started WHERE ${rangeOf('started_at', 'id', 'organization', part)}
  ORDER BY started_at DESC, id DESC LIMIT :examine)`

/** How many there were, and the position of the last one: the smallest of a text that sorts as the part does. */
const ending = `'end' AS figure, count(*) AS count, min(printf('%016d ', at) || id) AS last`

/** Each statement computes all its figures, so that the part is read once. */
export function statisticsTable(sql: Sql): Synchronous<StatisticsStore> {
  return {
    alerts(scope, part): AlertFigures {
      const rows = sql.allNamed(
        `${alertPart(scope, part)}
         SELECT 'hour' AS figure, count(*) AS count, NULL AS last, at / ${hour} * ${hour} AS hour, provider, outcome, NULL AS step
           FROM part GROUP BY hour, provider, outcome
         UNION ALL SELECT 'verdict', count(*), NULL, NULL, NULL, NULL, ${stepOf('at', 'completed_at')} AS step
           FROM part WHERE outcome = 'completed' AND completed_at IS NOT NULL GROUP BY step
         UNION ALL SELECT ${ending}, NULL, NULL, NULL, NULL FROM part`,
        { ...parametersOf(scope, part), ...apartOf(wantedOrganizations(scope, part)) },
      )
      return {
        hours: figuresOf(rows, 'hour', ['hour', 'provider', 'outcome', 'count']),
        verdicts: figuresOf(rows, 'verdict', ['step', 'count']),
        next: nextOf<AlertUuid>(rows, part.examine),
      } as unknown as AlertFigures
    },
    runs(scope, part): RunFigures {
      const rows = sql.allNamed(
        `${runPart(part)}
         SELECT 'state' AS figure, count(*) AS count, NULL AS last, playbook, state, max(at) AS lastStartedAt, NULL AS step
           FROM part WHERE undo IS NULL GROUP BY playbook, state
         UNION ALL SELECT 'duration', count(*), NULL, playbook, NULL, NULL, ${stepOf('at', 'ended_at')} AS step
           FROM part WHERE undo IS NULL AND state = 'completed' AND ended_at IS NOT NULL GROUP BY playbook, step
         UNION ALL SELECT ${ending}, NULL, NULL, NULL, NULL FROM part`,
        parametersOf(scope, part),
      )
      return {
        states: figuresOf(rows, 'state', ['playbook', 'state', 'count', 'lastStartedAt']),
        durations: figuresOf(rows, 'duration', ['playbook', 'step', 'count']),
        next: nextOf<RunId>(rows, part.examine),
      } as unknown as RunFigures
    },
  }
}

function figuresOf(rows: readonly Row[], figure: string, names: readonly string[]): readonly Row[] {
  return rows.filter((row) => row['figure'] === figure).map((row) => Object.fromEntries(names.map((name) => [name, row[name] ?? null])))
}

function parametersOf(scope: Scope, { organizations, from, to, after, examine }: StatisticsPart<string>) {
  return {
    scope: scopeParameter(scope),
    ...(organizations && { organizations: listParameter(organizations) }),
    from,
    // The index is read down from here, so that no part reads those before it again.
    to: after ? Math.min(to, after.at + 1) : to,
    ...(after && { afterAt: after.at, afterId: after.id }),
    examine,
  }
}

function nextOf<Id extends string>(rows: readonly Row[], examine: number): { readonly at: number; readonly id: Id } | null {
  const end = rows.find((row) => row['figure'] === 'end')
  const last = String(end?.['last'] ?? '')
  return Number(end?.['count'] ?? 0) < examine ? null : { at: Number(last.slice(0, 16)), id: asId<never>(last.slice(17)) }
}
