import { Badge, Button, Card, Checkbox, Group, Menu, NativeSelect, Stack, Switch, Text, TextInput } from '@mantine/core'
import { type JSX, useState } from 'react'
import type { OrganizationView, WebhookTestView, WebhookView, WebhookWithSecretView } from '../../runtime/api/index.ts'
import { ask, look } from '../api/ask.ts'
import { Foreign } from '../shared/foreign.tsx'
import { Time, When } from '../shared/time/time.tsx'
import { done } from '../shared/toasts.tsx'
import { useMay, useWho } from '../shell/who.ts'
import { Deliveries } from './deliveries.tsx'
import { FormDialog, Part, Rows, SecretOnce, textIn } from './parts.tsx'
import { useAct, useChange, useChoices, usePages } from './use-pages.ts'

const path = '/platformapi/webhooks'
const events = ['decision.opened', 'decision.closed', 'run.failed', 'case.opened'] as const

/** The webhooks, with what can be done with each. */
export function Webhooks(): JSX.Element {
  const pages = usePages<WebhookView>(path)
  const mayWrite = useMay()('webhooks:write')
  const [creating, setCreating] = useState(false)
  const [secret, setSecret] = useState<WebhookWithSecretView | null>(null)
  return (
    <Part
      title="Webhooks"
      about="A webhook reports decisions, failed runs and new cases to an address of yours, signed, over HTTPS."
      actions={mayWrite && <Button onClick={() => setCreating(true)}>New webhook …</Button>}
    >
      <Stack gap="sm">
        <Rows of={pages} empty={{ title: 'There is no webhook yet.' }}>
          {(rows) => rows.map((webhook) => <Shown key={webhook.id} webhook={webhook} mayWrite={mayWrite} onSecret={setSecret} />)}
        </Rows>
      </Stack>
      {creating && (
        <CreateWebhook
          onClose={() => setCreating(false)}
          onCreated={(webhook) => {
            setCreating(false)
            setSecret(webhook)
          }}
        />
      )}
      {secret && (
        <SecretOnce
          title="The secret of the webhook"
          about="Your receiver checks the signatures of deliveries with it."
          value={secret.secret}
          onClose={() => setSecret(null)}
        />
      )}
    </Part>
  )
}

interface ShownProps {
  readonly webhook: WebhookView
  readonly mayWrite: boolean
  readonly onSecret: (webhook: WebhookWithSecretView) => void
}

function Shown({ webhook, mayWrite, onSecret }: ShownProps): JSX.Element {
  const { id, url, events: told, enabled, disabled_because, organization_code, description, previous_secret_until, revision } = webhook
  const [open, setOpen] = useState(false)
  const [asking, ask] = useState<'rotate' | 'delete' | null>(null)
  const { test, enable } = useWebhookActs(webhook)
  return (
    <Card withBorder padding="sm" component="article" aria-label={`Webhook ${url}`}>
      <Group justify="space-between" gap="sm" align="flex-start">
        <div style={{ minWidth: 0, flex: 1 }}>
          <strong>
            <Foreign value={url} />
          </strong>
          <Group gap={6} my={4}>
            <Badge color={enabled ? 'teal' : 'gray'}>
              {enabled ? 'Enabled' : disabled_because === 'gone' ? 'Disabled: the receiver is gone' : 'Disabled'}
            </Badge>
            <Badge color="gray">{organization_code === null ? 'All organizations' : <Foreign value={organization_code} />}</Badge>
            {told.map((event) => (
              <Badge key={event} color="gray">
                {event}
              </Badge>
            ))}
          </Group>
          {description !== '' && (
            <Text size="sm">
              <Foreign value={description} />
            </Text>
          )}
          {previous_secret_until !== null && (
            <Text size="sm" c="dimmed">
              The previous secret stays valid; it ends <Time at={previous_secret_until} />.
            </Text>
          )}
        </div>
        <Group gap="xs">
          <Button variant="default" size="compact-sm" onClick={() => setOpen(!open)} aria-expanded={open}>
            Deliveries
          </Button>
          {mayWrite && (
            <>
              <Button variant="default" size="compact-sm" onClick={() => test.mutate(undefined)} loading={test.isPending}>
                Test
              </Button>
              <Menu position="bottom-end">
                <Menu.Target>
                  <Button variant="default" size="compact-sm">
                    More …
                  </Button>
                </Menu.Target>
                <Menu.Dropdown>
                  <Menu.Item onClick={() => enable.mutate(!enabled)}>{enabled ? 'Disable' : 'Enable'}</Menu.Item>
                  <Menu.Item onClick={() => ask('rotate')}>New secret …</Menu.Item>
                  <Menu.Item c="var(--mantine-color-error)" onClick={() => ask('delete')}>
                    Delete …
                  </Menu.Item>
                </Menu.Dropdown>
              </Menu>
            </>
          )}
        </Group>
      </Group>
      {open && <Deliveries webhook={id} mayWrite={mayWrite} />}
      {asking === 'rotate' && <Rotate id={id} before={previous_secret_until} onClose={() => ask(null)} onSecret={onSecret} />}
      {asking === 'delete' && <Delete id={id} url={url} key={revision} onClose={() => ask(null)} />}
    </Card>
  )
}

/** What can be done with a webhook at once: test it, and enable or disable it. */
function useWebhookActs({ id, revision }: WebhookView) {
  const test = useAct(
    async () => {
      const tested = await look<WebhookTestView>(`${path}/${id}/test`)
      if (!tested.ok) throw new Error(`The test failed${tested.status === null ? '' : ` with ${tested.status}`}: ${tested.error ?? ''}`)
      return tested
    },
    ({ status, took }) => `The receiver answered ${status} after ${took} ms`,
    'The webhook does not work',
  )
  const enable = useAct(
    (enabled: boolean) => ask<WebhookView>('PATCH', `${path}/${id}`, { revision, enabled }),
    ({ enabled }) => (enabled ? 'The webhook is enabled' : 'The webhook is disabled'),
    'The webhook was not changed',
  )
  return { test, enable }
}

interface RotateProps {
  readonly id: string
  /** When the previous secret ends, if somebody made a new one recently. Null: there is only one secret. */
  readonly before: number | null
  readonly onClose: () => void
  readonly onSecret: (webhook: WebhookWithSecretView) => void
}

function Rotate({ id, before, onClose, onSecret }: RotateProps): JSX.Element {
  const rotate = useChange((body: object) => ask<WebhookWithSecretView>('POST', `${path}/${id}/secret`, body), null)
  return (
    <FormDialog
      title="New secret"
      action="Make a new secret"
      pending={rotate.isPending}
      error={rotate.error}
      onClose={onClose}
      onSubmit={(fields) =>
        rotate.mutate(
          { overlap: Number(fields.get('overlap')) },
          {
            onSuccess: (webhook) => {
              onClose()
              onSecret(webhook)
            },
          },
        )
      }
    >
      {before !== null && (
        <Text size="sm" role="note">
          Somebody has made a new secret already. The one before it is valid until <When at={before} />. Another new secret ends that one at once: a
          receiver that still has it refuses what it gets.
        </Text>
      )}
      <NativeSelect
        name="overlap"
        label="The previous secret stays valid for"
        description="Until then each delivery has two signatures, one of each secret."
        defaultValue="86400000"
        data={[
          { value: '0', label: 'no time: it has leaked' },
          { value: '3600000', label: 'an hour' },
          { value: '86400000', label: 'a day' },
        ]}
      />
    </FormDialog>
  )
}

function Delete({ id, url, onClose }: { readonly id: string; readonly url: string; readonly onClose: () => void }): JSX.Element {
  const remove = useChange(
    () => ask<undefined>('DELETE', `${path}/${id}`),
    () => 'The webhook is deleted',
  )
  return (
    <FormDialog
      title="Delete the webhook"
      action="Delete"
      risky
      pending={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onSubmit={() => remove.mutate(undefined, { onSuccess: onClose })}
    >
      <Text size="sm">
        <Foreign value={url} /> is told nothing any more, and its deliveries are deleted. This cannot be taken back.
      </Text>
    </FormDialog>
  )
}

function CreateWebhook({ onClose, onCreated }: { onClose: () => void; onCreated: (webhook: WebhookWithSecretView) => void }): JSX.Element {
  const may = useMay()
  const { all_organizations: all } = useWho()
  const [chosen, choose] = useState<string[]>([...events])
  const organizations = useChoices<OrganizationView>('/platformapi/organizations', { enabled: may('organizations:read') })
  const create = useChange((body: object) => ask<WebhookWithSecretView>('POST', path, body), null)
  const submit = (fields: FormData): void =>
    create.mutate(
      {
        url: textIn(fields, 'url'),
        events: chosen,
        organization_code: textIn(fields, 'organization'),
        description: textIn(fields, 'description') ?? '',
        enabled: fields.has('enabled'),
      },
      {
        onSuccess: (webhook) => {
          done({ text: 'The webhook is created' })
          onCreated(webhook)
        },
      },
    )
  return (
    <FormDialog title="New webhook" action="Create" pending={create.isPending} error={create.error} onClose={onClose} onSubmit={submit}>
      <TextInput name="url" label="Address" placeholder="https://…" required maxLength={2_000} data-autofocus />
      <Checkbox.Group label="Events" value={chosen} onChange={choose}>
        <Stack gap={6} mt={6}>
          {events.map((event) => (
            <Checkbox key={event} value={event} label={event} />
          ))}
        </Stack>
      </Checkbox.Group>
      <NativeSelect
        name="organization"
        label="Organization"
        required={!all}
        data={[{ value: '', label: all ? 'All organizations' : 'Choose one' }, ...organizations.rows.map(({ code }) => code)]}
      />
      <TextInput name="description" label="Description" maxLength={500} />
      <Switch name="enabled" label="Enabled" defaultChecked />
    </FormDialog>
  )
}
