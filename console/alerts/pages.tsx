import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type JSX, useCallback, useMemo, useState } from 'react'
import { Route, useLocation, useSearchParams } from 'wouter'
import type { AlertItemView } from '../../runtime/api/index.ts'
import { IconRepeat } from '../shared/icons.ts'
import { addressOf } from '../shared/links.tsx'
import { ColumnChooser, DataList, NewRows, useLongList } from '../shared/list/index.ts'
import { Page } from '../shared/page.tsx'
import { ProblemNote } from '../shared/problem.tsx'
import { useMay } from '../shell/who.ts'
import { AlertPanel } from './alert-panel.tsx'
import { AlertCard, columns } from './columns.tsx'
import { ExportButton } from './export-button.tsx'
import { AlertFilters } from './filters.tsx'
import { alertCount, filterNames, filtersOf, readAlerts } from './queries.ts'
import { mostRetries, RetryDialog } from './retry-dialog.tsx'
import { Views } from './views.tsx'

/** The list of alerts, and the one that is open beside it. One component has both addresses, so the list stays as it is. */
export default function AlertPages(): JSX.Element {
  return <Route path="/alerts/:id?">{({ id }) => <Alerts openId={id ?? null} />}</Route>
}

const idOf = ({ alert_id }: AlertItemView): string => alert_id
const none: ReadonlySet<string> = new Set()

function Alerts({ openId }: { readonly openId: string | null }): JSX.Element {
  const may = useMay()
  const [params, setParams] = useSearchParams()
  const [, go] = useLocation()
  const [chosen, choose] = useState<{ readonly of: string; readonly ids: ReadonlySet<string> }>({ of: '', ids: new Set() })
  const [retrying, setRetrying] = useState<readonly string[] | null>(null)
  const asked = params.toString()
  // Whoever filters anew sees other alerts. What was selected before is not retried unseen.
  const filtered = new URLSearchParams([...filterNames, 'since'].flatMap((name) => params.getAll(name).map((value) => [name, value]))).toString()
  // "The last 24 hours" are counted from when somebody chose them. So all pages of the list have the same range, also with other columns.
  const filters = useMemo(() => filtersOf(new URLSearchParams(filtered), Date.now()), [filtered])
  const selected = chosen.of === filtered ? chosen.ids : none
  const select = (ids: ReadonlySet<string>): void => choose({ of: filtered, ids })
  const sort = params.get('sort') ?? '-created_at'
  const list = useLongList({
    key: ['alerts', filters.toString(), sort],
    read: (cursor, signal) => readAlerts(filters, { cursor, sort }, signal),
    idOf,
  })
  const count = useQuery(alertCount(filters))
  const search = asked === '' ? '' : `?${asked}`
  const open = useCallback(
    ({ alert_id }: AlertItemView) => go(`${addressOf.alert(alert_id)}${search}`, { replace: openId !== null }),
    [go, search, openId],
  )
  const shownIds = params.getAll('columns')
  const shown = columns.filter(({ id }) => shownIds.length === 0 || shownIds.includes(id))
  const selection = may('alerts:write') ? { ids: selected, onChange: select } : undefined
  return (
    <Page
      title="Alerts"
      full
      actions={
        <>
          <Views />
          <ExportButton filters={filters} sort={sort} columns={shown.length === 0 ? columns : shown} expected={count.data?.count ?? null} />
          <ColumnChooser columns={columns} />
        </>
      }
    >
      <AlertFilters />
      <Group gap="sm" mb={6} mih={30}>
        <Text size="sm" c="dimmed" role="status">
          {count.data && sayCount(count.data)}
        </Text>
        <NewRows count={sort === '-created_at' ? list.fresh : 0} what={list.fresh === 1 ? 'alert' : 'alerts'} onShow={list.showFresh} />
        {selected.size > 0 && (
          <>
            <Text size="sm">{selected.size.toLocaleString('en')} selected</Text>
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconRepeat size={14} />}
              disabled={selected.size > mostRetries}
              onClick={() => setRetrying([...selected])}
            >
              Retry …
            </Button>
            <Button size="compact-sm" variant="subtle" onClick={() => select(new Set())}>
              Clear the selection
            </Button>
            {selected.size > mostRetries && (
              <Text size="xs" c="dimmed">
                At most {mostRetries} at once.
              </Text>
            )}
          </>
        )}
      </Group>
      {list.error && <ProblemNote error={list.error} />}
      <div className={openId === null ? 'split' : 'split with-panel'}>
        {!(list.error && list.rows.length === 0) && (
          <DataList
            label="Alerts"
            of={list.of}
            columns={columns}
            rows={list.rows}
            idOf={idOf}
            onOpen={open}
            openId={openId}
            {...(selection && { selection })}
            sorting={{
              value: sort,
              onChange: (value) =>
                setParams((before) => {
                  const after = new URLSearchParams(before)
                  after.set('sort', value)
                  return after
                }),
            }}
            more={list.more}
            pending={list.pending}
            empty={emptyOf(filters)}
            card={(alert) => <AlertCard alert={alert} />}
          />
        )}
        {openId !== null && <AlertPanel key={openId} id={openId} onClose={() => go(`/alerts${search}`)} />}
      </div>
      {retrying !== null && <RetryDialog ids={retrying} onClose={() => setRetrying(null)} />}
    </Page>
  )
}

function sayCount({ count, exact }: { readonly count: number; readonly exact: boolean }): string {
  const number = count.toLocaleString('en')
  return exact ? `${number} ${count === 1 ? 'alert' : 'alerts'}` : `more than ${number} alerts`
}

function emptyOf(filters: URLSearchParams): { readonly title: string; readonly text: string } {
  if (filters.size > 0) return { title: 'No alert matches', text: 'Remove a filter, or search for other words.' }
  return { title: 'There are no alerts yet', text: 'A source sends them. Its address is made in Settings, API keys: "Connect an alert source".' }
}
