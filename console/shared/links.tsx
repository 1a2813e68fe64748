import type { JSX } from 'react'
import { Link } from 'wouter'
import { Copy } from './copy.tsx'
import { Foreign } from './foreign.tsx'

const segment = encodeURIComponent

/** The addresses of objects in the console. Everything that links to an object uses these. */
export const addressOf = {
  alert: (id: string) => `/alerts/${segment(id)}`,
  case: (id: string) => `/cases/${segment(id)}`,
  /** A line of a case's timeline. */
  entry: (id: string, entry: string) => `/cases/${segment(id)}?entry=${segment(entry)}`,
  run: (id: string) => `/runs/${segment(id)}`,
  decision: (id: string) => `/decisions/${segment(id)}`,
  playbook: (type: string) => `/playbooks/${segment(type)}`,
  /** The dialog that begins a playbook with an alert. */
  newPlaybook: (alert: string) => `/playbooks?new&alert=${segment(alert)}`,
  integration: (id: string) => `/integrations/${segment(id)}`,
  connection: (integration: string, id: string) => `/integrations/${segment(integration)}/connections/${segment(id)}`,
  skill: (integration: string, id: string) => `/integrations/${segment(integration)}/skills/${segment(id)}`,
} as const

interface IdProps {
  readonly id: string
  /** Whether a button copies the id. */
  readonly copy?: boolean
}

function ObjectLink({ id, to, what, copy = false }: IdProps & { readonly to: string; readonly what: string }): JSX.Element {
  return (
    <span className="id">
      <Link href={to}>
        <Foreign value={id} />
      </Link>
      {copy && <Copy value={id} what={what} />}
    </span>
  )
}

/** A link to an alert, by its alert_id. */
export function AlertLink(props: IdProps): JSX.Element {
  return <ObjectLink {...props} to={addressOf.alert(props.id)} what="the alert id" />
}

/** A link to a case, by its case_id. */
export function CaseLink(props: IdProps): JSX.Element {
  return <ObjectLink {...props} to={addressOf.case(props.id)} what="the case id" />
}

/** A link to a run. */
export function RunLink(props: IdProps): JSX.Element {
  return <ObjectLink {...props} to={addressOf.run(props.id)} what="the run id" />
}
