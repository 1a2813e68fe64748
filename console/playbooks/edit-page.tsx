import { useQuery } from '@tanstack/react-query'
import { type JSX, useState } from 'react'
import { Refused } from '../api/refused.ts'
import { Page } from '../shared/page.tsx'
import { ProblemNote } from '../shared/problem.tsx'
import { Loading } from '../shared/states.tsx'
import { type Draft, normal, readDraft } from './draft.ts'
import { Editing } from './editing.tsx'
import { onePlaybook, type Place } from './queries.ts'

const template = (key: string): string =>
  `format: 1\nplaybook: new-playbook\nalert_type: ${JSON.stringify(key)}\n\nsteps:\n  - id: hand_over\n    case: { status: analyst_pending }\n`

/** The editor of a playbook. It begins with what the browser keeps, else with the active text. */
export function EditPage({ place }: { readonly place: Place }): JSX.Element {
  const { data, error, isPending } = useQuery(onePlaybook(place))
  const [kept] = useState(() => readDraft(place))
  const nothing = error instanceof Refused && error.problem.code === 'playbook_unknown'
  if (isPending && kept === null) return <Loading />
  if (error && !nothing && kept === null)
    return (
      <Page title={place.key}>
        <ProblemNote error={error} />
      </Page>
    )
  const begun: Draft = { text: normal(data?.text ?? template(place.key)), tests: '', revision: data?.revision ?? 0 }
  return <Editing place={place} active={data ?? null} begun={begun} kept={kept} />
}
