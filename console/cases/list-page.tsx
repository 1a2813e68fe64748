import { Group, SegmentedControl, Text } from '@mantine/core'
import { type JSX, useCallback, useMemo } from 'react'
import { useLocation } from 'wouter'
import type { CaseView } from '../../runtime/api/index.ts'
import { useAddress } from '../shared/address.ts'
import { CaseStatusBadge, DispositionBadge, SeverityBadge } from '../shared/badges.tsx'
import { Foreign } from '../shared/foreign.tsx'
import { addressOf, CaseLink } from '../shared/links.tsx'
import { type Column, ColumnChooser, DataList, NewRows, useLongList } from '../shared/list/index.ts'
import { MergedNote } from '../shared/merged-note.tsx'
import { Page } from '../shared/page.tsx'
import { ProblemNote } from '../shared/problem.tsx'
import { When } from '../shared/time/time.tsx'
import { useShortcut } from '../shell/shortcuts.tsx'
import { Attention } from './attention.tsx'
import { Board } from './board/board.tsx'
import { NextClock } from './clock.tsx'
import { Filters, useCaseFilters } from './filters.tsx'
import { type CaseFilters, readCases } from './requests.ts'

const idOf = ({ case_id }: CaseView): string => case_id

/** The title, after a badge if a person must look at the case, and after the case that continues it. */
function Title({ found }: { readonly found: CaseView }): JSX.Element {
  return (
    <>
      <Attention found={found} />
      <MergedNote into={found.merged_into} />
      {found.merged_into !== null && ': '}
      <Foreign value={found.title} />
    </>
  )
}

const columns: readonly Column<CaseView>[] = [
  { id: 'id', header: 'CASE ID', width: 132, cell: ({ case_id }) => <CaseLink id={case_id} copy /> },
  { id: 'title', header: 'TITLE', width: 200, grow: 3, cell: (found) => <Title found={found} /> },
  {
    id: 'severity',
    header: 'SEVERITY',
    width: 115,
    cell: ({ severity }) => <SeverityBadge severity={severity} />,
    sort: { up: 'severity', down: '-severity' },
  },
  { id: 'status', header: 'STATUS', width: 145, cell: ({ status }) => <CaseStatusBadge status={status} /> },
  { id: 'disposition', header: 'DISPOSITION', width: 172, cell: ({ disposition }) => <DispositionBadge disposition={disposition} /> },
  { id: 'assignee', header: 'ASSIGNEE', width: 90, grow: 1, cell: ({ assignee }) => (assignee === null ? null : <Foreign value={assignee} />) },
  { id: 'due', header: 'DUE', width: 185, cell: (found) => <NextClock found={found} /> },
  {
    id: 'created',
    header: 'CREATION TIME',
    width: 130,
    cell: ({ created_at }) => <When at={created_at} />,
    sort: { up: 'created_at', down: '-created_at' },
  },
  {
    id: 'modified',
    header: 'LAST CHANGE',
    width: 150,
    optional: true,
    cell: ({ modified_at }) => <When at={modified_at} />,
    sort: { up: 'modified_at', down: '-modified_at' },
  },
  { id: 'organization', header: 'ORG', width: 110, optional: true, cell: ({ organization_code }) => <Foreign value={organization_code} /> },
  { id: 'alerts', header: 'ALERTS', width: 80, optional: true, cell: ({ alerts }) => alerts.length },
  { id: 'tags', header: 'TAGS', width: 140, optional: true, cell: ({ tags }) => <Foreign value={tags.join(', ')} /> },
]

/** All cases, as a list or as a board. */
export function CaseListPage(): JSX.Element {
  const address = useAddress()
  const board = address.get('view') === 'board'
  const show = (view: string): void => address.set({ view: view === 'board' ? 'board' : null, ...(view === 'board' && { status: null }) })
  useShortcut('b', board ? 'Show the list' : 'Show the board', () => show(board ? 'list' : 'board'))
  return (
    <Page
      title="Cases"
      full
      actions={
        <>
          <SegmentedControl
            size="xs"
            aria-label="View"
            value={board ? 'board' : 'list'}
            onChange={show}
            data={[
              { value: 'list', label: 'List' },
              { value: 'board', label: 'Board' },
            ]}
          />
          {!board && <ColumnChooser columns={columns} />}
        </>
      }
    >
      {board ? <Board /> : <List />}
    </Page>
  )
}

function List(): JSX.Element {
  const address = useAddress()
  const [, go] = useLocation()
  const { filters, active, sort } = useCaseFilters()
  const name = JSON.stringify(filters)
  const key = useMemo(() => ['cases', name], [name])
  // The filters are a new object at each rendering. Their text says whether they changed.
  const read = useCallback((cursor: string | null, signal: AbortSignal) => readCases(JSON.parse(name) as CaseFilters, cursor, signal), [name])
  const list = useLongList<CaseView>({ key, read, idOf })
  const known = useMemo(() => list.rows.flatMap(({ assignee }) => (assignee === null ? [] : [assignee])), [list.rows])
  return (
    <>
      <Filters statusToo known={known} />
      {list.error && <ProblemNote error={list.error} />}
      <NewRows count={list.fresh} what={list.fresh === 1 ? 'case' : 'cases'} onShow={list.showFresh} />
      <DataList
        label="Cases"
        of={list.of}
        columns={columns}
        rows={list.rows}
        idOf={idOf}
        onOpen={({ case_id }) => go(addressOf.case(case_id))}
        sorting={{ value: sort, onChange: (next) => address.set({ sort: next === '-created_at' ? null : next }) }}
        more={list.more}
        pending={list.pending}
        empty={
          list.error
            ? null
            : active
              ? { title: 'No case fits these filters', text: 'Clear some of them to see more.' }
              : { title: 'There are no cases yet', text: 'A case opens when a playbook investigates an alert.' }
        }
        card={(found) => <CaseCard found={found} />}
      />
    </>
  )
}

/** A case in a few lines, for narrow windows. */
function CaseCard({ found }: { readonly found: CaseView }): JSX.Element {
  return (
    <div>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <CaseLink id={found.case_id} />
        <SeverityBadge severity={found.severity} />
      </Group>
      <Text size="sm" fw={500} lineClamp={2} my={2}>
        <Foreign value={found.title} />
      </Text>
      <Group gap={6}>
        <CaseStatusBadge status={found.status} />
        <MergedNote into={found.merged_into} />
        <Attention found={found} />
        {found.assignee !== null && (
          <Text size="xs" c="dimmed" component="span">
            <Foreign value={found.assignee} />
          </Text>
        )}
        <NextClock found={found} />
      </Group>
    </div>
  )
}
