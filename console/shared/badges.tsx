import { Badge } from '@mantine/core'
import type { JSX } from 'react'
import type { CaseDetailsView, RunDetailsView } from '../../runtime/api/index.ts'

type Colours<Word extends string> = Readonly<Record<Word, readonly [name: string, colour: string]>>

const severities: Colours<CaseDetailsView['severity']> = {
  unassigned: ['Unassigned', 'gray'],
  informational: ['Informational', 'gray'],
  low: ['Low', 'blue'],
  medium: ['Medium', 'yellow'],
  high: ['High', 'orange'],
  critical: ['Critical', 'red'],
}
const caseStates: Colours<CaseDetailsView['status']> = {
  new: ['New', 'blue'],
  in_progress: ['In progress', 'harbour'],
  analyst_pending: ['Analyst pending', 'orange'],
  customer_pending: ['Customer pending', 'grape'],
  contained: ['Contained', 'teal'],
  closed: ['Closed', 'gray'],
}
const dispositions: Colours<CaseDetailsView['disposition']> = {
  pending: ['Pending', 'gray'],
  no_threat_found: ['No threat found', 'teal'],
  non_malicious_positive: ['Non-malicious positive', 'blue'],
  malicious: ['Malicious', 'red'],
}
const runStates: Colours<RunDetailsView['state']> = {
  running: ['Running', 'harbour'],
  waiting: ['Waiting', 'grape'],
  completed: ['Completed', 'teal'],
  failed: ['Failed', 'red'],
}
/** The names of the specification's section 3.1. */
const alertStates: Readonly<Record<string, string>> = {
  Created: 'gray',
  Submitted: 'blue',
  Inprogress: 'harbour',
  Completed: 'teal',
  Failed: 'red',
}

function Word({ of: [name, colour] }: { readonly of: readonly [string, string] }): JSX.Element {
  return <Badge color={colour}>{name}</Badge>
}

export function SeverityBadge({ severity }: { readonly severity: CaseDetailsView['severity'] }): JSX.Element {
  return <Word of={severities[severity]} />
}
export function CaseStatusBadge({ status }: { readonly status: CaseDetailsView['status'] }): JSX.Element {
  return <Word of={caseStates[status]} />
}
export function DispositionBadge({ disposition }: { readonly disposition: CaseDetailsView['disposition'] }): JSX.Element {
  return <Word of={dispositions[disposition]} />
}
export function RunStateBadge({ state }: { readonly state: RunDetailsView['state'] }): JSX.Element {
  return <Word of={runStates[state]} />
}
/** @param status the name of an alert's status, as the API writes it */
export function AlertStatusBadge({ status }: { readonly status: string }): JSX.Element {
  return <Word of={[status, alertStates[status] ?? 'gray']} />
}

/** The words for the values of a case's fields, for menus and texts. */
export const caseWords = {
  severity: (value: CaseDetailsView['severity']) => severities[value][0],
  status: (value: CaseDetailsView['status']) => caseStates[value][0],
  disposition: (value: CaseDetailsView['disposition']) => dispositions[value][0],
} as const
