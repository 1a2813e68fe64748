import type { JSX } from 'react'
import { Link } from 'wouter'
import { Mentioned } from '../cases/mentions/mentioned.tsx'
import { SeverityBadge } from '../shared/badges.tsx'
import { Foreign } from '../shared/foreign.tsx'
import { AlertLink, addressOf, CaseLink } from '../shared/links.tsx'
import { Time } from '../shared/time/time.tsx'
import { ListBlock } from './block.tsx'
import { casesOf, connections, failedAlerts, mentions, standingPauses, urgentDecisions } from './queries.ts'

/** Begins a line with these words: `the organization ACME` becomes `The organization ACME`. */
function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** What people are asked, the most urgent first. */
export function OpenDecisions(): JSX.Element {
  return (
    <ListBlock
      title="Open decisions"
      all="/decisions"
      query={urgentDecisions}
      keyOf={({ id }) => id}
      none="Nobody has to decide anything."
      show={({ id, title, expires_at }) => (
        <>
          <Link href={addressOf.decision(id)}>
            <Foreign value={title} />
          </Link>
          <span className="quiet">{expires_at === null ? 'no deadline' : <Time at={expires_at} />}</span>
        </>
      )}
    />
  )
}

/** The open cases of the person, or of nobody, the most severe first. */
export function OpenCases({ assignee }: { readonly assignee: 'me' | 'nobody' }): JSX.Element {
  return (
    <ListBlock
      title={assignee === 'me' ? 'My cases' : 'Unassigned cases'}
      all={`/cases?assignee=${assignee}`}
      query={casesOf(assignee)}
      keyOf={({ case_id }) => case_id}
      none={assignee === 'me' ? 'No open case is assigned to you.' : 'Every open case is assigned to somebody.'}
      show={({ case_id, title, severity }) => (
        <>
          <span>
            <CaseLink id={case_id} /> <Foreign value={title} />
          </span>
          <span className="kind">
            <SeverityBadge severity={severity} />
          </span>
        </>
      )}
    />
  )
}

/** Comments that mention the person. */
export function Mentions(): JSX.Element {
  return (
    <ListBlock
      title="Mentions of me"
      all="/cases/mentions"
      query={mentions}
      keyOf={({ case_uuid, entry }) => `${case_uuid} ${entry}`}
      none="No comment mentions you."
      show={(mention) => <Mentioned mention={mention} />}
    />
  )
}

/** Investigations that ended without a result. */
export function FailedInvestigations(): JSX.Element {
  return (
    <ListBlock
      title="Failed investigations"
      all="/alerts?status=Failed"
      query={failedAlerts}
      keyOf={({ alert_id }) => alert_id}
      none="No investigation has failed."
      show={({ alert_id, alert_name, completed_at, created_at }) => (
        <>
          <span>
            <AlertLink id={alert_id} /> <Foreign value={alert_name} />
          </span>
          <span className="quiet">
            <Time at={completed_at ?? created_at} />
          </span>
        </>
      )}
    />
  )
}

/** What is paused. */
export function Paused(): JSX.Element {
  return (
    <ListBlock
      title="Paused"
      all="/settings"
      query={standingPauses}
      keyOf={({ id }) => id}
      none="Nothing is paused."
      show={({ what, paused_by, reason }) => <Foreign value={`${sentence(what)}, by ${paused_by}${reason === null ? '' : `: ${reason}`}`} />}
    />
  )
}

/** Connections that need attention. */
export function FailingConnections(): JSX.Element {
  return (
    <ListBlock
      title="Connections that fail or expire"
      all="/integrations"
      query={connections}
      keep={({ expired, expires_soon, last_test }) => expired || expires_soon || last_test?.ok === false}
      keyOf={({ id }) => id}
      none="Every connection is well."
      show={({ id, integration, instance, expired, expires_at, last_test }) => (
        <>
          <Link href={addressOf.connection(integration, id)}>
            <Foreign value={`${integration}: ${instance}`} />
          </Link>
          <span className="quiet">
            {last_test?.ok === false ? 'its test failed' : expired ? 'expired ' : 'expires '}
            {last_test?.ok !== false && expires_at !== null && <Time at={expires_at} />}
          </span>
        </>
      )}
    />
  )
}
