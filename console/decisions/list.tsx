import { useInfiniteQuery } from '@tanstack/react-query'
import { type JSX, useEffect, useState } from 'react'
import { Link } from 'wouter'
import type { DecisionView } from '../../runtime/api/index.ts'
import { type DecisionFilter, decisionList } from '../api/queries.ts'
import { ProblemNote } from '../shared/problem.tsx'
import { Table } from '../shared/table.tsx'
import { Text } from '../shared/text.tsx'
import { Time } from '../shared/time.tsx'
import { kinds, states } from './words.ts'

/** The list of decisions. */
export function DecisionList(): JSX.Element {
  const [filter, setFilter] = useState<DecisionFilter>({ state: 'open', kind: 'any' })
  const { data, error, isPending, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(decisionList(filter))
  const found = data?.pages.flatMap(({ items }) => items) ?? []
  const open = found.filter(({ state }) => state === 'open').length
  useEffect(() => {
    document.title = open === 0 ? 'Decisions · Tocsin' : `(${open}${hasNextPage ? '+' : ''}) Decisions · Tocsin`
  }, [open, hasNextPage])
  return (
    <>
      <h1>Decisions</h1>
      <Filter filter={filter} onChange={setFilter} />
      {error && <ProblemNote error={error} />}
      {isPending && <p className="quiet">Loading …</p>}
      {data && found.length === 0 && (
        <p className="quiet">{filter.state === 'open' ? 'No decision is open.' : 'There are no decisions.'} The page refreshes itself.</p>
      )}
      {found.length > 0 && <Rows decisions={found} />}
      {hasNextPage && (
        <button type="button" onClick={() => fetchNextPage()} disabled={isFetchingNextPage}>
          Show older decisions
        </button>
      )}
    </>
  )
}

function Filter({ filter, onChange }: { readonly filter: DecisionFilter; readonly onChange: (filter: DecisionFilter) => void }): JSX.Element {
  return (
    <div className="filter">
      <label>
        <input
          type="checkbox"
          checked={filter.state === 'all'}
          onChange={({ target }) => onChange({ ...filter, state: target.checked ? 'all' : 'open' })}
        />{' '}
        include closed decisions
      </label>
      <label>
        Kind{' '}
        <select value={filter.kind} onChange={({ target }) => onChange({ ...filter, kind: target.value as DecisionFilter['kind'] })}>
          <option value="any">any</option>
          {Object.entries(kinds).map(([kind, { name }]) => (
            <option key={kind} value={kind}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}

function Rows({ decisions }: { readonly decisions: readonly DecisionView[] }): JSX.Element {
  return (
    <Table headings={['Kind', 'What', 'Organization', 'Case', 'Asked', 'Until']}>
      {decisions.map((decision) => (
        <tr key={decision.id}>
          <td>
            <span className={`kind ${decision.kind}`}>{kinds[decision.kind].name}</span>
          </td>
          <td>
            <Link href={`/decisions/${encodeURIComponent(decision.id)}`}>
              <Text value={decision.title} />
            </Link>
            {decision.state !== 'open' && <span className="quiet"> {states[decision.state]}</span>}
          </td>
          <td>
            <Text value={decision.organization_code} />
          </td>
          <td>
            <Text value={decision.case_id} />
          </td>
          <td>
            <Time at={decision.asked_at} />
          </td>
          <td>
            <Until decision={decision} />
          </td>
        </tr>
      ))}
    </Table>
  )
}

/** The time at which a decision was closed, or will expire. */
function Until({ decision: { closed_at, expires_at } }: { readonly decision: DecisionView }): JSX.Element {
  if (closed_at !== null) {
    return (
      <span className="quiet">
        closed <Time at={closed_at} />
      </span>
    )
  }
  return expires_at === null ? <>it is answered</> : <Time at={expires_at} />
}
