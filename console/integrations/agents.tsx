import { Anchor, Badge, Breadcrumbs, Button, Card, Checkbox, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { type JSX, useState } from 'react'
import { Link } from 'wouter'
import type { AgentView, AgentWithTokenView, OrganizationView } from '../../runtime/api/index.ts'
import { ask } from '../api/ask.ts'
import { FormDialog, Part, Rows, SecretOnce, textIn } from '../settings/parts.tsx'
import { useChange, useChoices, usePages } from '../settings/use-pages.ts'
import { useAddress } from '../shared/address.ts'
import { Foreign } from '../shared/foreign.tsx'
import { addressOf } from '../shared/links.tsx'
import { Page } from '../shared/page.tsx'
import { When } from '../shared/time/time.tsx'
import { useMay, useWho } from '../shell/who.ts'

const path = '/platformapi/agents'
/** Streams and bytes change without an event of the feed. */
const refreshEvery = (): number => 5_000

/** Remote agents: what each does, and which connections use it. */
export function AgentsPage(): JSX.Element {
  return (
    <Page title="Remote agents">
      <Stack gap="md">
        <Breadcrumbs>
          <Anchor component={Link} href="/integrations" size="sm">
            Integrations
          </Anchor>
        </Breadcrumbs>
        <Agents />
      </Stack>
    </Page>
  )
}

function Agents(): JSX.Element {
  const pages = usePages<AgentView>(path, { every: refreshEvery })
  const { get, set } = useAddress()
  const mayWrite = useMay()('agents:write')
  const [creating, setCreating] = useState(false)
  const [created, setCreated] = useState<AgentWithTokenView | null>(null)
  const [revoking, setRevoking] = useState<AgentView | null>(null)
  const shown = get('revoked') === 'yes' ? pages : { ...pages, rows: pages.rows.filter(({ state }) => state !== 'revoked') }
  return (
    <Part
      title="Agents"
      about="An agent runs in a customer's network, dials out, and reaches systems there. Connections name it. It sees no credential."
      actions={
        <>
          <Checkbox
            label="Show revoked agents"
            checked={get('revoked') === 'yes'}
            onChange={({ currentTarget }) => set({ revoked: currentTarget.checked ? 'yes' : null })}
          />
          {mayWrite && <Button onClick={() => setCreating(true)}>New agent …</Button>}
        </>
      }
    >
      <Stack gap="sm">
        <Rows of={shown} empty={{ title: 'There is no agent to show.' }}>
          {(rows) => rows.map((agent) => <Shown key={agent.id} agent={agent} onRevoke={mayWrite ? () => setRevoking(agent) : null} />)}
        </Rows>
      </Stack>
      {creating && (
        <CreateAgent
          onClose={() => setCreating(false)}
          onCreated={(agent) => {
            setCreating(false)
            setCreated(agent)
          }}
        />
      )}
      {created && (
        <SecretOnce
          title={`The command for ${created.name}`}
          about="Run it where the agent shall run, within a day. Replace the allow-list with what the agent may reach. The token works once."
          value={commandFor(created)}
          onClose={() => setCreated(null)}
        />
      )}
      {revoking && <Revoke of={revoking} onClose={() => setRevoking(null)} />}
    </Part>
  )
}

/** The token is a variable of one command: everybody on a machine can see arguments. */
function commandFor({ token }: AgentWithTokenView): string {
  return `TOCSIN_AGENT_TOKEN=${token} tocsin agent run --url ${window.location.origin} --allow host.internal:443`
}

const states: Readonly<Record<AgentView['state'], { readonly word: string; readonly color: string }>> = {
  enrolling: { word: 'Waits for its first start', color: 'yellow' },
  online: { word: 'Online', color: 'teal' },
  draining: { word: 'Stopping', color: 'yellow' },
  offline: { word: 'Offline', color: 'red' },
  revoked: { word: 'Revoked', color: 'gray' },
}

function Shown({ agent, onRevoke }: { readonly agent: AgentView; readonly onRevoke: (() => void) | null }): JSX.Element {
  const { name, state, organization_code: owner, version, connections } = agent
  return (
    <Card withBorder padding="sm" component="article" aria-label={`Agent ${name}`}>
      <Group justify="space-between" gap="sm" align="flex-start">
        <div style={{ minWidth: 0, flex: 1 }}>
          <strong>
            <Foreign value={name} />
          </strong>
          <Group gap={6} my={4}>
            <Badge color={states[state].color}>{states[state].word}</Badge>
            <Badge color="gray">{owner === null ? 'Shared connections' : <Foreign value={owner} />}</Badge>
            {version !== null && (
              <Badge color="gray">
                <Foreign value={version} />
              </Badge>
            )}
          </Group>
          <Figures agent={agent} />
          <Text size="sm">
            {connections.length === 0 ? 'No connection uses it.' : 'Used by '}
            {connections.map(({ id, instance, integration }, at) => (
              <span key={id}>
                {at > 0 && ', '}
                <Anchor component={Link} href={`${addressOf.integration(integration)}/connections/${id}`} size="sm">
                  <Foreign value={instance} />
                </Anchor>
              </span>
            ))}
          </Text>
        </div>
        {onRevoke && state !== 'revoked' && (
          <Button variant="default" size="compact-sm" onClick={onRevoke} aria-label={`Revoke ${name} …`}>
            Revoke …
          </Button>
        )}
      </Group>
    </Card>
  )
}

function Figures({ agent }: { readonly agent: AgentView }): JSX.Element {
  const { online_since: since, last_seen_at: seen, streams, opened, round_trip: trip, last_error: error, last_error_at: failedAt } = agent
  return (
    <>
      <Text size="sm" c="dimmed">
        {since !== null ? (
          <>
            Since <When at={since} />: {streams} open of {opened} connections, {sizeOf(agent.bytes_sent)} sent, {sizeOf(agent.bytes_received)}{' '}
            received
            {trip !== null && `, round trip ${Math.round(trip)} ms`}
          </>
        ) : seen !== null ? (
          <>
            Last here <When at={seen} />
          </>
        ) : (
          'Never connected'
        )}
      </Text>
      {error !== null && failedAt !== null && (
        <Text size="sm" c="red">
          <When at={failedAt} />: <Foreign value={error} />
        </Text>
      )}
    </>
  )
}

function sizeOf(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${Math.round(bytes / 1_000_000)} MB`
}

function CreateAgent({ onClose, onCreated }: { readonly onClose: () => void; readonly onCreated: (agent: AgentWithTokenView) => void }): JSX.Element {
  const { all_organizations: all } = useWho()
  const may = useMay()
  const known = useChoices<OrganizationView>('/platformapi/organizations', { enabled: may('organizations:read') })
  const create = useChange((body: object) => ask<AgentWithTokenView>('POST', path, body), null)
  const codes = known.rows.map(({ code }) => ({ value: code, label: code }))
  return (
    <FormDialog
      title="New remote agent"
      action="Create the agent"
      pending={create.isPending}
      error={create.error}
      onClose={onClose}
      onSubmit={(fields) =>
        create.mutate({ name: textIn(fields, 'name'), organization_code: textIn(fields, 'organization') }, { onSuccess: onCreated })
      }
    >
      <TextInput
        name="name"
        label="Name"
        description="What connections name. Several agents may have one name, and share its calls."
        required
        maxLength={200}
        data-autofocus
      />
      <NativeSelect
        name="organization"
        label="Organization"
        description="Only its connections can use the agent."
        data={[...(all ? [{ value: '', label: 'None: for shared connections' }] : []), ...codes]}
      />
    </FormDialog>
  )
}

function Revoke({ of: agent, onClose }: { readonly of: AgentView; readonly onClose: () => void }): JSX.Element {
  const revoke = useChange(
    () => ask<AgentView>('DELETE', `${path}/${agent.id}`),
    () => `Revoked: ${agent.name}`,
  )
  return (
    <FormDialog
      title="Revoke the agent"
      action="Revoke"
      risky
      pending={revoke.isPending}
      error={revoke.error}
      onClose={onClose}
      onSubmit={() => revoke.mutate(undefined, { onSuccess: onClose })}
    >
      <Text size="sm">
        <strong>
          <Foreign value={agent.name} />
        </strong>{' '}
        is cut off at once, with {agent.streams} open connections. A write that is under way is then in doubt. This cannot be taken back: a new agent
        is needed.
      </Text>
    </FormDialog>
  )
}
