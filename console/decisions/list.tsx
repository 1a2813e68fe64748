import { Badge, Button, Group, NativeSelect, SegmentedControl, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type JSX, useMemo, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { DecisionView } from '../../runtime/api/index.ts'
import { type DecisionFilter, decisionList } from '../api/queries.ts'
import { useAddress } from '../shared/address.ts'
import { Foreign } from '../shared/foreign.tsx'
import { addressOf } from '../shared/links.tsx'
import { type Column, ColumnChooser, DataList } from '../shared/list/index.ts'
import { CaseCell, MergedNote } from '../shared/merged-note.tsx'
import { Page } from '../shared/page.tsx'
import { ProblemNote } from '../shared/problem.tsx'
import { Time } from '../shared/time/time.tsx'
import { type Alike, alikeGroups, areAlike, mostTogether, skillsOf } from './alike.ts'
import { AnswerTogether } from './answer-together.tsx'
import { CallLine } from './call.tsx'
import { Deadline } from './deadline.tsx'
import { kinds, states } from './words.ts'

const columns: readonly Column<DecisionView>[] = [
  { id: 'kind', header: 'KIND', width: 96, cell: ({ kind }) => <KindBadge kind={kind} /> },
  { id: 'what', header: 'WHAT', width: 260, grow: 4, cell: (decision) => <Title decision={decision} /> },
  {
    id: 'deadline',
    header: 'DEADLINE',
    width: 132,
    cell: (decision) => (
      <span className="stacked">
        <Deadline decision={decision} />
      </span>
    ),
  },
  { id: 'call', header: 'CALL', width: 200, grow: 3, cell: (decision) => <FirstCall decision={decision} /> },
  { id: 'organization', header: 'ORG', width: 90, cell: ({ organization_code }) => <Foreign value={organization_code} /> },
  { id: 'case', header: 'CASE ID', width: 140, cell: ({ case_id, case_merged_into }) => <CaseCell id={case_id} into={case_merged_into} /> },
  { id: 'asked', header: 'ASKED', width: 110, cell: ({ asked_at }) => <Time at={asked_at} /> },
]
const idOf = ({ id }: DecisionView): string => id

/** The list of decisions, the most urgent first. Decisions that are alike can be answered together. */
export function DecisionList(): JSX.Element {
  const [, go] = useLocation()
  const address = useAddress()
  const filter = filterIn(address.get)
  const { data, error, isPending, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(decisionList(filter))
  const found = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? [], [data])
  const [selected, select] = useState<ReadonlySet<string>>(new Set())
  const [together, answerTogether] = useState<Alike | null>(null)
  const open = found.filter(({ state }) => state === 'open').length
  return (
    <Page
      title="Decisions"
      tab={open === 0 ? 'Decisions' : `(${open}${hasNextPage ? '+' : ''}) Decisions`}
      full
      actions={<ColumnChooser columns={columns} />}
    >
      <Filters filter={filter} found={found} onChange={address.set} />
      {error && <ProblemNote error={error} />}
      <Together found={found} complete={!hasNextPage} selected={found.filter(({ id }) => selected.has(id))} onAnswer={answerTogether} />
      <DataList
        label="Decisions"
        of={JSON.stringify(filter)}
        columns={columns}
        tall
        rows={found}
        idOf={idOf}
        onOpen={({ id }) => go(addressOf.decision(id))}
        selection={{ ids: selected, onChange: select }}
        more={{ has: hasNextPage, loading: isFetchingNextPage, load: () => void fetchNextPage({ cancelRefetch: false }) }}
        pending={isPending}
        empty={
          error ? null : { title: filter.state === 'open' ? 'No decision is open.' : 'There are no decisions.', text: 'The page refreshes itself.' }
        }
        card={(decision) => <Card decision={decision} />}
      />
      {together && (
        <AnswerTogether
          {...together}
          onClose={() => {
            answerTogether(null)
            select(new Set())
          }}
        />
      )}
    </Page>
  )
}

/** Reads the filter from the address. */
function filterIn(get: (name: string) => string | null): DecisionFilter {
  const kind = get('kind')
  return {
    state: get('state') === 'all' ? 'all' : 'open',
    kind: kind !== null && Object.hasOwn(kinds, kind) ? (kind as DecisionView['kind']) : 'any',
    organization: get('organization'),
  }
}

interface FiltersProps {
  readonly filter: DecisionFilter
  readonly found: readonly DecisionView[]
  readonly onChange: (changes: Readonly<Record<string, string | null>>) => void
}

function Filters({ filter: { state, kind, organization }, found, onChange }: FiltersProps): JSX.Element {
  const codes = [
    ...new Set([...found.map(({ organization_code }) => organization_code), ...(organization === null ? [] : [organization])]),
  ].toSorted()
  return (
    <Group mb="sm" gap="sm">
      <SegmentedControl
        aria-label="Which decisions"
        value={state}
        data={[
          { value: 'open', label: 'Open, by deadline' },
          { value: 'all', label: 'All, newest first' },
        ]}
        onChange={(value) => onChange({ state: value === 'open' ? null : value })}
      />
      <NativeSelect
        aria-label="Kind"
        value={kind}
        data={[{ value: 'any', label: 'Any kind' }, ...Object.entries(kinds).map(([value, { name }]) => ({ value, label: name }))]}
        onChange={({ currentTarget: { value } }) => onChange({ kind: value === 'any' ? null : value })}
      />
      {codes.length > 1 && (
        <NativeSelect
          aria-label="Organization"
          value={organization ?? ''}
          data={[{ value: '', label: 'Any organization' }, ...codes]}
          onChange={({ currentTarget: { value } }) => onChange({ organization: value === '' ? null : value })}
        />
      )}
    </Group>
  )
}

interface TogetherProps {
  readonly found: readonly DecisionView[]
  /** Whether they are all of the list. */
  readonly complete: boolean
  readonly selected: readonly DecisionView[]
  readonly onAnswer: (decisions: Alike) => void
}

/** Offers to answer decisions together: those that are selected, else each group of decisions that are alike. */
function Together({ found, complete, selected, onAnswer }: TogetherProps): JSX.Element | null {
  const groups = useMemo(() => alikeGroups(found).slice(0, 3), [found])
  if (selected.length > 0)
    return (
      <Group mb="sm" gap="sm">
        {areAlike(selected) ? (
          <Button onClick={() => onAnswer({ together: selected, count: selected.length })}>Answer the {selected.length} selected …</Button>
        ) : (
          <Text size="sm">
            Decisions are answered together only if you may answer them and they have the same kind and the same skill, at most {mostTogether} at
            once. Writes in doubt are answered one by one.
          </Text>
        )}
      </Group>
    )
  if (groups.length === 0) return null
  return (
    <Group mb="sm" gap="sm">
      {groups.map((group) => {
        const { together, count } = group
        const [first] = together
        return (
          first && (
            <Button key={first.id} variant="light" className="long-label" onClick={() => onAnswer(group)}>
              <span>
                Answer {together.length} {count > together.length && `of ${complete ? count : `at least ${count}`} `}alike (
                {kinds[first.kind].name.toLowerCase()}): <Foreign value={skillsOf(first)} /> …
              </span>
            </Button>
          )
        )
      })}
    </Group>
  )
}

function KindBadge({ kind }: Pick<DecisionView, 'kind'>): JSX.Element {
  return <Badge color={kinds[kind].colour}>{kinds[kind].name}</Badge>
}

function Title({ decision: { id, title, state } }: { readonly decision: DecisionView }): JSX.Element {
  return (
    <>
      <Link href={addressOf.decision(id)}>
        <Foreign value={title} />
      </Link>
      {state !== 'open' && <span className="quiet">&nbsp;{states[state]}</span>}
    </>
  )
}

function FirstCall({ decision: { actions } }: { readonly decision: DecisionView }): JSX.Element | null {
  const [first, ...others] = actions
  if (first === undefined) return null
  return (
    <span className="lines">
      <CallLine action={first} />
      {others.length > 0 && ` and ${others.length} more`}
    </span>
  )
}

function Card({ decision }: { readonly decision: DecisionView }): JSX.Element {
  return (
    <Stack gap={3}>
      <Group gap={6} wrap="nowrap">
        <KindBadge kind={decision.kind} />
        <Text size="xs" c="dimmed" truncate>
          <Foreign value={decision.case_id} />
        </Text>
      </Group>
      <MergedNote into={decision.case_merged_into} linked={false} />
      <Text size="sm" lineClamp={2}>
        <Title decision={decision} />
      </Text>
      <Text size="xs" lineClamp={3}>
        <FirstCall decision={decision} />
      </Text>
      <Text size="xs">
        <Deadline decision={decision} />
      </Text>
    </Stack>
  )
}
