import { useQuery } from '@tanstack/react-query'
import type { JSX } from 'react'
import { Redirect } from 'wouter'
import type { RunDetailsView } from '../../runtime/api/index.ts'
import { ask } from '../api/ask.ts'
import { Page } from '../shared/page.tsx'
import { ProblemNote } from '../shared/problem.tsx'
import { Loading } from '../shared/states.tsx'
import { editorOf } from './addresses.ts'
import { activePlaybooks } from './queries.ts'

/** Opens the editor to replay the run, with the playbook that is active for its organization and alert type. */
export function ToReplay({ alertType, run }: { readonly alertType: string; readonly run: string }): JSX.Element {
  const found = useQuery({
    queryKey: ['run', run, 'to replay'],
    queryFn: ({ signal }) => ask<RunDetailsView>('GET', `/platformapi/runs/${encodeURIComponent(run)}`, undefined, signal),
  })
  const active = useQuery(activePlaybooks)
  const error = found.error ?? active.error
  if (error)
    return (
      <Page title={alertType}>
        <ProblemNote error={error} />
      </Page>
    )
  if (!found.data || !active.data) return <Loading />
  const { organization_code: code } = found.data
  const own = active.data.items.some(({ key, kind, organization_code }) => key === alertType && kind === 'playbook' && organization_code === code)
  const place = { key: alertType, kind: 'playbook', organization: own ? code : null } as const
  return <Redirect to={editorOf(place, { panel: 'replay', run })} replace />
}
