import { Badge, Button, Code, Group, List, NavLink, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type JSX, useState } from 'react'
import { useLocation } from 'wouter'
import type { ConnectionAnswer, IntegrationView } from '../../../runtime/api/index.ts'
import { connectionList } from '../../api/integrations.ts'
import { Foreign } from '../../shared/foreign.tsx'
import { addressOf } from '../../shared/links.tsx'
import { ProblemNote } from '../../shared/problem.tsx'
import { Loading } from '../../shared/states.tsx'
import { useMay } from '../../shell/who.ts'
import { useOrganizations } from '../organizations.ts'
import { healthOf, healthWords } from '../words.ts'
import { ConnectionForm } from './connection-form.tsx'
import { ConnectionPanel } from './connection-panel.tsx'
import { TestResult } from './test-result.tsx'
import type { Saved } from './use-save.ts'

interface TabProps {
  readonly integration: IntegrationView
  /** The id of the connection in the address. */
  readonly chosen: string | null
  readonly form: 'new' | 'change' | null
}

/** The connections of an integration: all beside one, or the form. */
export function ConnectionsTab({ integration, chosen, form }: TabProps): JSX.Element {
  const { data, error, isPending } = useQuery(connectionList(integration.id))
  const organizations = useOrganizations()
  const may = useMay()
  const [, go] = useLocation()
  const here = addressOf.integration(integration.id)
  const open = (id: string): void => go(addressOf.connection(integration.id, id))
  const [saved, setSaved] = useState<Saved | null>(null)
  const mayWrite = may('connections:write')
  if (error && !data) return <ProblemNote error={error} />
  if (isPending || organizations === null) return <Loading />
  const connections = data.items
  const shown = connections.find(({ id }) => id === chosen) ?? (chosen === null ? connections[0] : undefined)
  const begin = (): void => {
    setSaved(null)
    go(`${here}/connect`)
  }
  if (mayWrite && (form === 'new' || (form === 'change' && shown))) {
    const standing = form === 'change' ? (shown ?? null) : null
    return (
      <Group align="flex-start" gap="xl" wrap="wrap">
        <div style={{ flex: '3 1 480px', minWidth: 0 }}>
          <ConnectionForm
            key={standing?.id ?? 'new'}
            integration={integration}
            standing={standing}
            organizations={organizations}
            taken={connections.map(({ instance }) => instance)}
            onSaved={(result) => {
              setSaved(result)
              open(result.connection.id)
            }}
            onCancel={() => (standing ? open(standing.id) : go(`${here}/connections`))}
          />
        </div>
        <div style={{ flex: '1 1 260px', minWidth: 0 }}>
          <Setup integration={integration} />
        </div>
      </Group>
    )
  }
  if (connections.length === 0)
    return (
      <Stack>
        <Paper withBorder p="xl">
          <Stack align="flex-start">
            <Title order={2} size="h4">
              No connection yet
            </Title>
            <Text>A connection holds the credentials for {integration.name}. Playbooks call its skills through it.</Text>
            {mayWrite ? <Button onClick={begin}>Connect {integration.name}</Button> : <Text c="dimmed">Your key may not create connections.</Text>}
          </Stack>
        </Paper>
        <Setup integration={integration} />
      </Stack>
    )
  return (
    <Group align="flex-start" gap="lg" wrap="wrap">
      <Stack gap="xs" component="nav" aria-label="Connections" style={{ flex: '1 1 240px', minWidth: 0 }}>
        {mayWrite && (
          <Button variant="light" onClick={begin}>
            New connection
          </Button>
        )}
        {connections.map((connection) => (
          <ConnectionLink
            key={connection.id}
            connection={connection}
            active={connection.id === shown?.id}
            onOpen={() => {
              setSaved(null)
              open(connection.id)
            }}
          />
        ))}
        {data.next_cursor !== null && <Text size="sm">There are more. Use the API to see them.</Text>}
      </Stack>
      <div style={{ flex: '3 1 480px', minWidth: 0 }}>
        {shown ? (
          <Stack>
            {saved?.connection.id === shown.id && saved.test && !shown.last_test && <TestResult test={saved.test} />}
            <ConnectionPanel
              key={shown.id}
              integration={integration}
              connection={shown}
              mayWrite={mayWrite}
              onChange={() => go(`${addressOf.connection(integration.id, shown.id)}/change`)}
              onRemoved={() => go(`${here}/connections`)}
            />
          </Stack>
        ) : (
          <Text>No connection that your key may see has this address. It may have been removed.</Text>
        )}
      </div>
    </Group>
  )
}

function ConnectionLink({
  connection,
  active,
  onOpen,
}: {
  readonly connection: ConnectionAnswer
  readonly active: boolean
  onOpen(): void
}): JSX.Element {
  const { word, color } = healthWords[healthOf(connection)]
  return (
    <NavLink
      component="button"
      active={active}
      aria-current={active ? 'true' : undefined}
      onClick={onOpen}
      label={<Foreign value={connection.instance} />}
      description={connection.organization_code === null ? 'Shared by all organizations' : <Foreign value={connection.organization_code} />}
      rightSection={
        <Badge color={color} variant="light" size="sm">
          {word}
        </Badge>
      }
    />
  )
}

/** What to do in the external system first. */
function Setup({ integration: { setup, vendor } }: { readonly integration: IntegrationView }): JSX.Element {
  return (
    <Stack gap="xs" component="section" aria-label="Before you connect">
      <Title order={3} size="h5">
        Before you connect
      </Title>
      <List type="ordered" size="sm" spacing={4}>
        {setup.steps.map((step) => (
          <List.Item key={step}>
            <WithCode text={step} />
          </List.Item>
        ))}
      </List>
      <Points title="Permissions that it needs" points={setup.scopes} />
      <Points title="Good to know" points={setup.limits} />
      {vendor.docs !== null && (
        <Text size="sm">
          The vendor's pages: <Foreign value={vendor.docs} />
        </Text>
      )}
    </Stack>
  )
}

function Points({ title, points }: { readonly title: string; readonly points: readonly string[] }): JSX.Element | null {
  if (points.length === 0) return null
  return (
    <>
      <Title order={4} size="h6">
        {title}
      </Title>
      <List size="sm" spacing={4}>
        {points.map((point) => (
          <List.Item key={point}>
            <WithCode text={point} />
          </List.Item>
        ))}
      </List>
    </>
  )
}

/** Shows a text of a manifest. What stands between backticks is shown as code. */
function WithCode({ text }: { readonly text: string }): JSX.Element {
  const parts = text.split('`')
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change their places
  return <>{parts.map((part, at) => (at % 2 === 1 ? <Code key={at}>{part}</Code> : <Foreign key={at} value={part} />))}</>
}
