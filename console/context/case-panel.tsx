import { useQuery } from '@tanstack/react-query'
import type { JSX } from 'react'
import type { CaseDetailsView, SignedInView } from '../../runtime/api/index.ts'
import { oneCase } from '../api/queries.ts'
import { Foreign, Json } from '../shared/foreign.tsx'
import { ProblemNote } from '../shared/problem.tsx'
import { Time } from '../shared/time/time.tsx'
import { lineOf } from './timeline-line.ts'

/** The case of a decision, with its timeline. Shows nothing if the key may not read cases. */
export function CasePanel({ id, who }: { readonly id: string; readonly who: SignedInView }): JSX.Element | null {
  const mayLook = who.scopes.includes('cases:read')
  const { data, error } = useQuery({ ...oneCase(id), enabled: mayLook })
  if (!mayLook) return null
  return (
    <section aria-label="The case">
      <h2>
        Case <Foreign value={id} />
      </h2>
      {error && <ProblemNote error={error} />}
      {data && <Shown found={data} />}
    </section>
  )
}

function Shown({ found }: { readonly found: CaseDetailsView }): JSX.Element {
  return (
    <>
      <p>
        <strong>
          <Foreign value={found.title} />
        </strong>
        , severity {found.severity}, {found.status}, alert <Foreign value={found.alerts.map(({ alert_id }) => alert_id).join(', ')} />
      </p>
      {found.attention.map(({ text, run_id, kind }) => (
        <p key={`${kind} ${run_id}`}>
          <strong>
            <Foreign value={text} />
          </strong>
        </p>
      ))}
      {found.timeline_earlier !== null && <p className="quiet">The timeline has earlier entries, which are not shown here.</p>}
      <ol className="timeline">
        {found.timeline.map((entry) => (
          <li key={entry.id}>
            <Time at={entry.at} /> <span className="quiet">{entry.kind}</span> <Foreign value={lineOf(entry)} />
            {entry.evidence !== undefined && entry.evidence !== null && (
              <details>
                <summary>Evidence</summary>
                <Json value={entry.evidence} label="Evidence" />
              </details>
            )}
          </li>
        ))}
      </ol>
    </>
  )
}
