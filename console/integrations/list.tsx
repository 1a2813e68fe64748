import { Anchor, Badge, Button, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { JSX } from 'react'
import { Link } from 'wouter'
import type { ConnectionAnswer, IntegrationView } from '../../runtime/api/index.ts'
import { connectionList, integrationList } from '../api/integrations.ts'
import { addressOf } from '../shared/links.tsx'
import { Page } from '../shared/page.tsx'
import { ProblemNote } from '../shared/problem.tsx'
import { Empty, Loading } from '../shared/states.tsx'
import { useMay } from '../shell/who.ts'
import { healthWords, summaryOf, worst } from './words.ts'

/** All integrations, and how their connections are doing. */
export function IntegrationList(): JSX.Element {
  const { data, error, isPending } = useQuery(integrationList)
  const may = useMay()
  const mayWrite = may('connections:write')
  const { data: connections, error: unread } = useQuery(connectionList(null))
  if (error && !data) return <ProblemNote error={error} />
  return (
    <Page title="Integrations">
      <Text c="dimmed" mb="md">
        External systems that playbooks read and change. Each needs a connection with credentials.
        {may('agents:read') && (
          <>
            {' '}
            <Anchor component={Link} href="/integrations/agents" inherit underline="always">
              Remote agents
            </Anchor>{' '}
            reach those in private networks.
          </>
        )}
      </Text>
      {isPending && <Loading />}
      {unread && <ProblemNote error={unread} />}
      {data?.length === 0 && <Empty title="No plugin is loaded">Set TOCSIN_PLUGINS to the folder of your plugins.</Empty>}
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {data?.map((integration) => (
          <IntegrationCard
            key={integration.id}
            integration={integration}
            connections={connections?.items.filter((each) => each.integration === integration.id) ?? null}
            mayWrite={mayWrite}
          />
        ))}
      </SimpleGrid>
    </Page>
  )
}

interface CardProps {
  readonly integration: IntegrationView
  /** Null: not known yet. */
  readonly connections: readonly ConnectionAnswer[] | null
  readonly mayWrite: boolean
}

function IntegrationCard({ integration, connections, mayWrite }: CardProps): JSX.Element {
  const { id, name, vendor, skill_count: count } = integration
  const skills = count.read + count.write + count.high
  const state = connections && worst(connections)
  return (
    <Paper withBorder p="md" component="article" aria-label={name}>
      <Stack gap="sm" h="100%" justify="space-between">
        <div>
          <Group justify="space-between" wrap="nowrap">
            <Title order={2} size="h4">
              <Anchor component={Link} href={`${addressOf.integration(id)}/connections`} inherit>
                {name}
              </Anchor>
            </Title>
            {state && (
              <Badge color={healthWords[state].color} variant="light" flex="none">
                {healthWords[state].word}
              </Badge>
            )}
          </Group>
          <Text size="sm" c="dimmed">
            {vendor.name}
          </Text>
          <Text size="sm" mt="xs">
            <Anchor component={Link} href={`${addressOf.integration(id)}/skills`} underline="always">
              {skills} {skills === 1 ? 'skill' : 'skills'}
            </Anchor>
            {skills > 0 && `: ${count.read} read, ${count.write + count.high} write`}
          </Text>
          <Text size="sm">{connections === null ? ' ' : summaryOf(connections)}</Text>
        </div>
        {connections?.length === 0 && mayWrite && (
          <Button component={Link} href={`${addressOf.integration(id)}/connect`} variant="light">
            Connect
          </Button>
        )}
      </Stack>
    </Paper>
  )
}
