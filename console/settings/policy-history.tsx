import { Button, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type JSX, useState } from 'react'
import type { PolicyRevisionView, PolicyView } from '../../runtime/api/index.ts'
import { ask } from '../api/ask.ts'
import { ForeignBlock } from '../shared/foreign.tsx'
import { ProblemNote } from '../shared/problem.tsx'
import { Empty, Loading } from '../shared/states.tsx'
import { Time, When } from '../shared/time/time.tsx'
import { By } from './parts.tsx'
import { policyPath } from './policy-path.ts'

/** Who changed the policy and when, newest first, with the text of each revision. */
export function PolicyHistory({ policy: { organization_code: code, changes } }: { readonly policy: PolicyView }): JSX.Element {
  if (changes.length === 0) return <Empty title="Nobody has set a policy yet." />
  return (
    <Stack gap="sm">
      {changes.map(({ revision, changed_at, changed_by_name, changed_by }) => (
        <Change key={revision} code={code} revision={revision}>
          <strong>Revision {revision}</strong> by <By name={changed_by_name ?? changed_by ?? ''} />, <When at={changed_at} /> (
          <Time at={changed_at} />)
        </Change>
      ))}
    </Stack>
  )
}

function Change({ code, revision, children }: { code: string; revision: number; children: React.ReactNode }): JSX.Element {
  const [open, setOpen] = useState(false)
  const { data, error, isFetching } = useQuery({
    queryKey: ['policy-revision', code, revision],
    queryFn: ({ signal }) => ask<PolicyRevisionView>('GET', `${policyPath(code)}/revisions/${revision}`, undefined, signal),
    enabled: open,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <div>
      <Text size="sm">
        {children}{' '}
        <Button variant="subtle" size="compact-sm" onClick={() => setOpen(!open)} aria-expanded={open} aria-label={`Text of revision ${revision}`}>
          {open ? 'Hide the text' : 'Show the text'}
        </Button>
      </Text>
      {open && isFetching && <Loading />}
      {open && error && <ProblemNote error={error} />}
      {open && data && <ForeignBlock value={data.text} label={`Policy, revision ${revision}`} />}
    </div>
  )
}
