import { Group, MultiSelect, Stack, TagsInput, Text } from '@mantine/core'
import type { JSX } from 'react'
import { useLocation } from 'wouter'
import type { RunView } from '../../runtime/api/index.ts'
import { useAddress } from '../shared/address.ts'
import { RunStateBadge } from '../shared/badges.tsx'
import { Foreign } from '../shared/foreign.tsx'
import { AlertLink, addressOf } from '../shared/links.tsx'
import { type Column, ColumnChooser, DataList, NewRows, useLongList } from '../shared/list/index.ts'
import { CaseCell } from '../shared/merged-note.tsx'
import { Page } from '../shared/page.tsx'
import { ProblemNote } from '../shared/problem.tsx'
import { useNow } from '../shared/time/now.ts'
import { When } from '../shared/time/time.tsx'
import { type RunFilters, readRuns } from './queries.ts'
import { durationText } from './words.ts'

const states = [
  { value: 'running', label: 'Running' },
  { value: 'waiting', label: 'Waiting' },
  { value: 'completed', label: 'Completed' },
  { value: 'failed', label: 'Failed' },
]

function Duration({ run }: { readonly run: RunView }): JSX.Element {
  const now = useNow()
  return <span className="when">{durationText(Math.max(0, (run.ended_at ?? now) - run.started_at))}</span>
}

function outcomeOf({ error, reason }: RunView): string {
  return error ? `${error.code}: ${error.message}` : (reason ?? '')
}

const columns: readonly Column<RunView>[] = [
  { id: 'state', header: 'STATE', width: 105, cell: (run) => <RunStateBadge state={run.state} /> },
  {
    id: 'playbook',
    header: 'PLAYBOOK',
    width: 165,
    grow: 1,
    cell: (run) => <Foreign value={run.undoes === null ? run.playbook : `undo of ${run.playbook}`} />,
  },
  { id: 'alert_name', header: 'ALERT NAME', width: 160, grow: 1, cell: (run) => <Foreign value={run.alert_name ?? ''} /> },
  { id: 'started', header: 'STARTED', width: 135, cell: (run) => <When at={run.started_at} /> },
  { id: 'duration', header: 'DURATION', width: 100, cell: (run) => <Duration run={run} /> },
  { id: 'case', header: 'CASE ID', width: 140, cell: (run) => <CaseCell id={run.case_id} into={run.case_merged_into} /> },
  { id: 'alert', header: 'ALERT ID', width: 178, cell: (run) => (run.alert_id === null ? '' : <AlertLink id={run.alert_id} />) },
  { id: 'organization', header: 'ORG', width: 120, optional: true, cell: (run) => <Foreign value={run.organization_code} /> },
  { id: 'attempt', header: 'ATTEMPT', width: 80, optional: true, cell: (run) => run.attempt },
  { id: 'reason', header: 'REASON', width: 195, grow: 2, cell: (run) => <Foreign value={outcomeOf(run)} /> },
]

/** The list of runs, newest first. Its filters are in the address. */
export function RunList(): JSX.Element {
  const { get, all, set } = useAddress()
  const [, go] = useLocation()
  const filters: RunFilters = {
    state: all('state'),
    alert_type: all('alert_type'),
    playbook: all('playbook'),
    organization: all('organization'),
    since: get('since'),
  }
  const list = useLongList({ key: ['runs', filters], read: (cursor, signal) => readRuns(filters, cursor, signal), idOf })
  return (
    <Page title="Runs" full actions={<ColumnChooser columns={columns} />}>
      <Group gap="xs" mb="sm" align="flex-end">
        <MultiSelect
          aria-label="State"
          placeholder={filters.state.length === 0 ? 'Any state' : undefined}
          data={states}
          value={[...filters.state]}
          onChange={(chosen) => set({ state: chosen })}
          clearable
          size="xs"
          className="run-filter"
        />
        <TagsInput
          aria-label="Playbook"
          placeholder={filters.playbook.length === 0 ? 'Any playbook' : undefined}
          value={[...filters.playbook]}
          onChange={(chosen) => set({ playbook: chosen })}
          size="xs"
          className="run-filter"
        />
        <TagsInput
          aria-label="Alert type"
          placeholder={filters.alert_type.length === 0 ? 'Any alert type' : undefined}
          value={[...filters.alert_type]}
          onChange={(chosen) => set({ alert_type: chosen })}
          size="xs"
          className="run-filter"
        />
        <TagsInput
          aria-label="Organization"
          placeholder={filters.organization.length === 0 ? 'Any organization' : undefined}
          value={[...filters.organization]}
          onChange={(chosen) => set({ organization: chosen })}
          size="xs"
          className="run-filter"
        />
        <NewRows count={list.fresh} what={list.fresh === 1 ? 'run' : 'runs'} onShow={list.showFresh} />
      </Group>
      {list.error && <ProblemNote error={list.error} />}
      {(!list.error || list.rows.length > 0) && (
        <DataList
          label="Runs"
          of={list.of}
          columns={columns}
          rows={list.rows}
          idOf={idOf}
          onOpen={({ run_id }) => go(addressOf.run(run_id))}
          more={list.more}
          pending={list.pending}
          empty={
            Object.values(filters).some((value) => value !== null && value.length > 0)
              ? { title: 'No run fits these filters', text: 'Clear some of them to see more.' }
              : { title: 'There are no runs yet', text: 'A run begins when an alert arrives whose type has a playbook.' }
          }
          card={(run) => (
            <Stack gap={2}>
              <Group justify="space-between" wrap="nowrap">
                <Text fw={600} size="sm" truncate>
                  <Foreign value={run.alert_name ?? run.playbook} />
                </Text>
                <RunStateBadge state={run.state} />
              </Group>
              <Text size="xs" c="dimmed" truncate>
                <Foreign value={run.playbook} /> · <When at={run.started_at} /> · <Duration run={run} />
              </Text>
              {run.case_merged_into && (
                <Text size="xs">
                  <CaseCell id={run.case_id} into={run.case_merged_into} />
                </Text>
              )}
              {outcomeOf(run) !== '' && (
                <Text size="xs" truncate>
                  <Foreign value={outcomeOf(run)} />
                </Text>
              )}
            </Stack>
          )}
        />
      )}
    </Page>
  )
}

function idOf({ run_id }: RunView): string {
  return run_id
}
