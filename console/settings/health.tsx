import { Badge, Code, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { JSX } from 'react'
import type { VersionView } from '../../runtime/api/index.ts'
import { ask } from '../api/ask.ts'
import { Refused } from '../api/refused.ts'
import { rhythm } from '../api/rhythm.ts'
import { ProblemNote } from '../shared/problem.tsx'
import { Loading } from '../shared/states.tsx'
import { useWho } from '../shell/who.ts'
import { By, Part } from './parts.tsx'

/** If the clocks differ by more than this, in milliseconds, deadlines look wrong. */
const apart = 30_000

/** Whether the store and the queue answer, the version, and who is signed in. */
export function Health(): JSX.Element {
  const { name, scopes, all_organizations: all } = useWho()
  const ready = useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => ask<{ checks: readonly string[] }>('GET', '/readyz', undefined, signal),
    refetchInterval: rhythm,
    retry: false,
  })
  const version = useQuery({
    queryKey: ['version'],
    queryFn: async ({ signal }) => {
      const answer = await ask<VersionView>('GET', '/platformapi/version', undefined, signal)
      return { ...answer, ahead: Date.now() - answer.time }
    },
    refetchInterval: rhythm,
  })
  const skew = version.data?.ahead ?? 0
  return (
    <Stack gap="xl">
      <Part title="Health" about="The process that serves this page asks its store and its queue every few seconds.">
        {ready.isPending && <Loading what="Asking" />}
        {ready.error && <ProblemNote error={ready.error} />}
        <Group gap="sm" role="status">
          {ready.data && !ready.error && <Badge color="teal">Ready</Badge>}
          {ready.error instanceof Refused && <Badge color="red">Not ready</Badge>}
          {ready.data && !ready.error && <Text size="sm">These answer: {ready.data.checks.join(', ')}.</Text>}
        </Group>
      </Part>
      <Part title="Version" about="State it when you report a problem.">
        {version.error && <ProblemNote error={version.error} />}
        {version.data && (
          <Text>
            Tocsin <Code>{version.data.version}</Code>
          </Text>
        )}
        {Math.abs(skew) > apart && (
          <Text c="var(--mantine-color-error)" mt="xs">
            The clock of this computer is {Math.round(Math.abs(skew) / 1000)} seconds {skew > 0 ? 'ahead of' : 'behind'} the server's clock. Deadlines
            that are shown relative to now are wrong by that much.
          </Text>
        )}
      </Part>
      <Part title="Your key" about="What the console offers depends on it.">
        <Text size="sm">
          <By name={name} />, for {all ? 'all organizations' : 'some organizations'}
        </Text>
        <Group gap={4} mt="xs">
          {scopes.map((scope) => (
            <Badge key={scope} color="gray">
              {scope}
            </Badge>
          ))}
        </Group>
      </Part>
    </Stack>
  )
}
