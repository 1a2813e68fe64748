import { Anchor, Badge, Button, Card, Code, Group, Menu, Text } from '@mantine/core'
import { type JSX, useState } from 'react'
import { Link } from 'wouter'
import type { FetchAnswer } from '../../../runtime/api/index.ts'
import { Foreign } from '../../shared/foreign.tsx'
import { addressOf } from '../../shared/links.tsx'
import { spanOf } from '../../shared/time/span.ts'
import { Time } from '../../shared/time/time.tsx'
import { useMay } from '../../shell/who.ts'
import { FormDialog } from '../parts.tsx'
import { pageOfFetch } from './addresses.ts'
import { FetchDetails } from './details.tsx'
import { stateOf } from './state.ts'
import { useFetchActs, useRemoval } from './use-fetch-acts.ts'

/** A fetch in the list: whether it works, what its last attempt brought, and its actions. */
export function FetchCard({ fetch, mayWrite }: { readonly fetch: FetchAnswer; readonly mayWrite: boolean }): JSX.Element {
  const { name, organization_code: organization, every_seconds: every } = fetch
  const { name: state, colour, problem } = stateOf(fetch)
  const [open, setOpen] = useState(false)
  const [removing, setRemoving] = useState(false)
  return (
    <Card withBorder padding="sm" component="article" aria-label={`Fetch ${name}`}>
      <Group justify="space-between" gap="sm" align="flex-start">
        <div style={{ minWidth: 0, flex: '1 1 16rem' }}>
          <strong>
            <Foreign value={name} />
          </strong>
          <Group gap={6} my={4}>
            <Badge color={colour}>{state}</Badge>
            <Badge color="gray">{organization === null ? 'Organization removed' : <Foreign value={organization} />}</Badge>
            <Badge color="gray">every {spanOf(every * 1_000)}</Badge>
          </Group>
          {problem !== null && (
            <Text size="sm" className="problem">
              <Foreign value={problem} />
            </Text>
          )}
          <Source fetch={fetch} />
          <Progress fetch={fetch} />
        </div>
        <Group gap="xs">
          <Button variant="default" size="compact-sm" onClick={() => setOpen(!open)} aria-expanded={open}>
            Details
          </Button>
          {mayWrite && <Actions fetch={fetch} onRemove={() => setRemoving(true)} />}
        </Group>
      </Group>
      {open && <FetchDetails fetch={fetch} />}
      {removing && <Remove fetch={fetch} onClose={() => setRemoving(false)} />}
    </Card>
  )
}

/** Names the connection and the skill that is called. */
function Source({ fetch: { connection, instance, integration, skill } }: { readonly fetch: FetchAnswer }): JSX.Element {
  return (
    <Text size="sm">
      {instance === null || integration === null ? (
        'A connection that was removed'
      ) : (
        <Anchor component={Link} href={addressOf.connection(integration, connection)} size="sm">
          <Foreign value={instance} />
        </Anchor>
      )}
      {', skill '}
      <Code>
        <Foreign value={skill} />
      </Code>
    </Text>
  )
}

/** Says when everything was fetched last, and what the last attempt brought. */
function Progress({ fetch: { fetched_at: fetched, fetching_since: since, last_attempt: last } }: { readonly fetch: FetchAnswer }): JSX.Element {
  return (
    <Text size="sm" c="dimmed">
      {since !== null && (
        <>
          An attempt is under way. It began <Time at={since} />.{' '}
        </>
      )}
      {fetched === null ? (
        'No attempt has fetched everything yet.'
      ) : (
        <>
          Everything was fetched <Time at={fetched} />.
        </>
      )}
      {last !== null && (
        <>
          {' Last attempt '}
          <Time at={last.ended_at} />: {last.found} found, {last.new} new, {last.repeated} repeated, {last.changed} changed.
        </>
      )}
    </Text>
  )
}

function Actions({ fetch, onRemove }: { readonly fetch: FetchAnswer; readonly onRemove: () => void }): JSX.Element {
  const { enabled } = fetch
  const { now, enable } = useFetchActs(fetch)
  // Whoever changes or enables a fetch answers for its alerts.
  const mayEnable = useMay()('alerts:write')
  return (
    <>
      {enabled && (
        <Button variant="default" size="compact-sm" onClick={() => now.mutate(undefined)} loading={now.isPending}>
          Fetch now
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" size="compact-sm">
            More …
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {mayEnable && (
            <Menu.Item component={Link} href={pageOfFetch.change(fetch.id)}>
              Change …
            </Menu.Item>
          )}
          {(enabled || mayEnable) && <Menu.Item onClick={() => enable.mutate(!enabled)}>{enabled ? 'Disable' : 'Enable'}</Menu.Item>}
          <Menu.Item c="var(--mantine-color-error)" onClick={onRemove}>
            Remove …
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  )
}

function Remove({ fetch, onClose }: { readonly fetch: FetchAnswer; readonly onClose: () => void }): JSX.Element {
  const remove = useRemoval(fetch)
  return (
    <FormDialog
      title="Remove the fetch"
      action="Remove"
      risky
      pending={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onSubmit={() => remove.mutate(undefined, { onSuccess: onClose })}
    >
      <Text size="sm">
        <strong>
          <Foreign value={fetch.name} />
        </strong>{' '}
        brings no more alerts. Those that it has brought stay. This cannot be taken back: to stop it for a while, disable it.
      </Text>
    </FormDialog>
  )
}
