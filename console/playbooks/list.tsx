import { Badge, Button, SegmentedControl, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type JSX, useMemo } from 'react'
import { useLocation } from 'wouter'
import type { PlaybookView, StatisticsView } from '../../runtime/api/index.ts'
import { useAddress } from '../shared/address.ts'
import { Foreign } from '../shared/foreign.tsx'
import { type Column, ColumnChooser, DataList } from '../shared/list/index.ts'
import { Page } from '../shared/page.tsx'
import { ProblemNote } from '../shared/problem.tsx'
import { spanOf } from '../shared/time/span.ts'
import { Time } from '../shared/time/time.tsx'
import { useMay } from '../shell/who.ts'
import { pageOf } from './addresses.ts'
import { NewPlaybook } from './new-playbook.tsx'
import { activePlaybooks, type Place, runFigures } from './queries.ts'
import { count, sources } from './words.ts'

/** The active playbooks of one alert type or name: the shared one, and those of organizations. */
interface Row {
  readonly key: string
  readonly kind: PlaybookView['kind']
  readonly shared: PlaybookView | null
  readonly own: readonly PlaybookView[]
  readonly latest: PlaybookView
  /** The runs of the last seven days of a playbook with that name. Null: none, or the key may not see them. */
  readonly runs: Figures | null
}

type Figures = NonNullable<StatisticsView['playbooks']>[number]

const columns: readonly Column<Row>[] = [
  { id: 'type', header: 'ALERT TYPE', width: 220, grow: 2, cell: ({ key }) => <Foreign value={key} /> },
  { id: 'playbook', header: 'PLAYBOOK', width: 180, grow: 1, cell: ({ latest }) => <Foreign value={latest.name} /> },
  { id: 'active', header: 'ACTIVE FOR', width: 160, grow: 2, cell: (row) => <ActiveFor row={row} /> },
  { id: 'runs', header: 'RUNS (7 DAYS)', width: 110, cell: ({ runs }) => runs?.runs.toLocaleString('en') ?? '–' },
  { id: 'success', header: 'SUCCESS', width: 90, cell: ({ runs }) => <Success runs={runs} /> },
  { id: 'time', header: 'MEDIAN TIME', width: 110, cell: ({ runs }) => spanOf(runs?.duration_p50 ?? null) },
  { id: 'changed', header: 'CHANGED', width: 120, cell: ({ latest }) => <Time at={latest.activated_at} /> },
  { id: 'revision', header: 'REVISION', width: 90, cell: ({ latest }) => latest.revision },
  { id: 'source', header: 'FROM', width: 130, optional: true, cell: ({ latest }) => sources[latest.source] },
  { id: 'by', header: 'BY', width: 120, grow: 1, optional: true, cell: ({ latest }) => <Foreign value={latest.activated_by_name ?? 'Tocsin'} /> },
]

/** The list of active playbooks by alert type, and of sub-playbooks. */
export function PlaybookList(): JSX.Element {
  const { get, set } = useAddress()
  const [, go] = useLocation()
  const may = useMay()
  const { data, error, isPending } = useQuery(activePlaybooks)
  const figures = useQuery({ ...runFigures, enabled: may('alerts:read') && may('runs:read') }).data?.playbooks
  const kind = get('kind') === 'sub_playbook' ? 'sub_playbook' : 'playbook'
  const words = (get('q') ?? '').toLowerCase()
  const rows = useMemo(() => rowsOf(data?.items ?? [], kind, figures ?? []).filter((row) => matches(row, words)), [data, kind, words, figures])
  const creating = get('new') !== null
  const open = ({ key, shared, own }: Row): void => {
    const place: Place = { key, kind, organization: shared === null ? (own[0]?.organization_code ?? null) : null }
    go(pageOf(place))
  }
  return (
    <Page
      title="Playbooks"
      full
      actions={
        <>
          <ColumnChooser columns={columns} />
          {may('playbooks:write') && (
            <Button onClick={() => set({ new: '' })} size="sm">
              New playbook
            </Button>
          )}
        </>
      }
    >
      <div className="tools">
        <SegmentedControl
          aria-label="Kind"
          size="xs"
          value={kind}
          data={[
            { value: 'playbook', label: 'By alert type' },
            { value: 'sub_playbook', label: 'Sub-playbooks' },
          ]}
          onChange={(value) => set({ kind: value === 'playbook' ? null : value })}
        />
        <TextInput
          size="xs"
          aria-label="Filter"
          placeholder="Filter by type, name or organization"
          value={get('q') ?? ''}
          onChange={({ currentTarget }) => set({ q: currentTarget.value === '' ? null : currentTarget.value })}
          className="filter"
        />
      </div>
      {error && <ProblemNote error={error} />}
      <DataList
        label="Playbooks"
        of={`${kind} ${words}`}
        columns={columns}
        rows={rows}
        idOf={({ key }) => key}
        onOpen={open}
        pending={isPending}
        empty={
          error
            ? null
            : words === ''
              ? { title: 'No playbook is active', text: 'Begin with a template or an alert. Alerts of types without a playbook get a generated one.' }
              : { title: 'No playbook matches the filter' }
        }
        card={(row) => (
          <>
            <Text size="sm" fw={600} component="div">
              <Foreign value={row.key} />
            </Text>
            <Text size="sm" c="dimmed" component="div">
              <Foreign value={row.latest.name} /> · revision {row.latest.revision} · <Time at={row.latest.activated_at} />
            </Text>
            {row.runs && (
              <Text size="sm" component="div">
                {count(row.runs.runs, 'run')} in 7 days · <Success runs={row.runs} /> completed
              </Text>
            )}
            <ActiveFor row={row} />
          </>
        )}
      />
      {creating && <NewPlaybook alert={get('alert')} onClose={() => set({ new: null, alert: null })} />}
    </Page>
  )
}

const mostShown = 3

function ActiveFor({ row: { shared, own } }: { readonly row: Row }): JSX.Element {
  return (
    <span className="words">
      {shared && <Badge color="harbour">All organizations</Badge>}
      {own.slice(0, mostShown).map(({ organization_code: code }) => (
        <Badge key={code} color="gray" tt="none">
          <Foreign value={code ?? ''} />
        </Badge>
      ))}
      {own.length > mostShown && <span className="quiet">and {own.length - mostShown} more</span>}
    </span>
  )
}

/** The share of the ended runs that completed: `98 %`. It says 100 % only if none failed. If most failed, it stands out. */
function Success({ runs }: { readonly runs: Figures | null }): JSX.Element {
  const rate = runs?.success_rate ?? null
  if (rate === null) return <>–</>
  const bad = rate < 0.5
  return (
    <Text span inherit {...(bad && { c: 'var(--mantine-color-error)', fw: 600 })}>
      {Math.floor(rate * 100)} %
    </Text>
  )
}

function rowsOf(items: readonly PlaybookView[], kind: PlaybookView['kind'], figures: readonly Figures[]): readonly Row[] {
  const groups = Map.groupBy(
    items.filter((each) => each.kind === kind),
    ({ key }) => key,
  )
  return [...groups].map(([key, each]) => {
    const shared = each.find(({ organization_code: code }) => code === null) ?? null
    const own = each.filter(({ organization_code: code }) => code !== null)
    const latest = each.reduce((one, other) => (other.activated_at > one.activated_at ? other : one))
    return { key, kind, shared, own, latest, runs: figures.find(({ playbook }) => playbook === latest.name) ?? null }
  })
}

function matches({ key, shared, own }: Row, words: string): boolean {
  const all = [key, ...[...(shared ? [shared] : []), ...own].flatMap(({ name, organization_code: code }) => [name, code ?? ''])]
  return all.some((text) => text.toLowerCase().includes(words))
}
