import { Group, Progress, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { JSX } from 'react'
import { Link } from 'wouter'
import type { QuotaUsageView } from '../../runtime/api/index.ts'
import { ask } from '../api/ask.ts'
import { rhythm } from '../api/rhythm.ts'
import { Foreign } from '../shared/foreign.tsx'
import { ProblemNote } from '../shared/problem.tsx'
import { Empty, Loading } from '../shared/states.tsx'
import { Time } from '../shared/time/time.tsx'
import { policyPath } from './policy-path.ts'

type Quota = QuotaUsageView['quotas'][number]

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const

/** Formats the length of a quota: `1 hour`, `90 minutes`. */
function span(per: number): string {
  const [unit, size] = units.find(([, length]) => per % length === 0) ?? ['second', 1_000]
  const count = per / size
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** How full each quota is. */
export function Quotas({ code }: { readonly code: string }): JSX.Element {
  const { data, error, isPending } = useQuery({
    queryKey: ['settings', 'quotas', code],
    queryFn: ({ signal }) => ask<QuotaUsageView>('GET', `${policyPath(code)}/usage`, undefined, signal),
    refetchInterval: rhythm,
  })
  if (error && !data) return <ProblemNote error={error} />
  if (isPending) return <Loading what="Loading the quotas" />
  if (data.quotas.length === 0) return <Empty title="No loaded skill has a quota." />
  return (
    <Stack gap="md" maw="46rem">
      {data.quotas
        .toSorted((a, b) => share(b) - share(a))
        .map((quota) => (
          <Bar key={quota.skill} quota={quota} code={code} />
        ))}
    </Stack>
  )
}

function share({ used, calls }: Quota): number {
  return calls === 0 ? 1 : used / calls
}

function Bar({ quota, code }: { readonly quota: Quota; readonly code: string }): JSX.Element {
  const { skill, calls, per, used, since, waiting } = quota
  const full = share(quota) >= 1
  const said = `${used} of ${calls} calls in ${span(per)}`
  return (
    <div>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={600}>
          <Foreign value={skill} />
        </Text>
        <Text size="sm" {...(full && { fw: 650 })}>
          {said}
          {full && ': full'}
        </Text>
      </Group>
      <Progress
        value={Math.min(100, share(quota) * 100)}
        color={full ? 'red' : share(quota) > 0.75 ? 'orange' : 'harbour'}
        aria-label={`${skill}: ${said}`}
        my={4}
      />
      <Text size="xs" c="dimmed">
        {since === null ? (
          'No call yet.'
        ) : (
          <>
            The oldest call that counts was <Time at={since} />.
          </>
        )}
        {waiting > 0 && (
          <>
            {' '}
            <Link href={`/decisions?kind=quota&organization=${encodeURIComponent(code)}`}>
              {waiting} {waiting === 1 ? 'decision waits' : 'decisions wait'}
            </Link>
            .
          </>
        )}
      </Text>
    </div>
  )
}
