import type { JSX } from 'react'
import { Link } from 'wouter'
import { Copy } from './copy.tsx'
import { Foreign } from './foreign.tsx'
import { runName } from './ids/run-name.ts'

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

interface ObjectLinkProps extends IdProps {
  readonly to: string
  readonly what: string
  /** Shown instead of the id. The id is the title of the link. */
  readonly name?: string
}

function ObjectLink({ id, to, what, name = id, copy = false }: ObjectLinkProps): JSX.Element {
  return (
    <span className="id">
      <Link href={to} {...(name !== id && { title: id, className: 'named' })}>
        <Foreign value={name} />
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

/** A link to a run: `attempt 1`. `whole` shows its id, among runs of several alerts. */
export function RunLink({ whole = false, ...props }: IdProps & { readonly whole?: boolean }): JSX.Element {
  return <ObjectLink {...props} to={addressOf.run(props.id)} what="the run id" name={whole ? props.id : runName(props.id)} />
}

/** A link to a decision, whose id says nothing to people. */
export function DecisionLink(props: IdProps): JSX.Element {
  return <ObjectLink {...props} to={addressOf.decision(props.id)} what="the decision id" name="question and answer" />
}

/** A link to a connection, under the name that people gave it. */
export function ConnectionLink({
  integration,
  instance,
  ...props
}: IdProps & { readonly integration: string; readonly instance: string }): JSX.Element {
  return <ObjectLink {...props} to={addressOf.connection(integration, props.id)} what="the connection id" name={instance} />
}
