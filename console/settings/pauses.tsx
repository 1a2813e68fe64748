import { Badge, Button, Card, Group, NativeSelect, SegmentedControl, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { type JSX, useState } from 'react'
import type { OrganizationView, PauseView } from '../../runtime/api/index.ts'
import { ask } from '../api/ask.ts'
import { rhythm } from '../api/rhythm.ts'
import { Foreign } from '../shared/foreign.tsx'
import { Time, When } from '../shared/time/time.tsx'
import { useMay, useWho } from '../shell/who.ts'
import { By, FormDialog, Part, Rows, textIn } from './parts.tsx'
import { useChange, useChoices, usePages } from './use-pages.ts'

const path = '/platformapi/pauses'
type Kind = PauseView['kind']

/** Stops and resumes everything, an organization, a playbook or a connection. */
export function Pauses(): JSX.Element {
  const may = useMay()
  const standing = usePages<PauseView>(`${path}?state=standing`, { every: rhythm })
  const ended = usePages<PauseView>(`${path}?state=resumed`)
  const [asking, setAsking] = useState<Kind | null>(null)
  const [resuming, setResuming] = useState<PauseView | null>(null)
  const everything = standing.rows.some(({ kind }) => kind === 'everything')
  const parts = standing.rows.length
  const mayPause = may('pauses:write')
  const { all_organizations: all } = useWho()
  return (
    <Stack gap="xl">
      <Part
        title="Pauses"
        about="A pause stops new writes at once, and a second later no run starts or continues. Alerts are still accepted and kept. Nothing is lost: what was held continues when you resume."
      >
        <Card withBorder padding="lg" className={parts > 0 ? 'stop stopped' : 'stop'}>
          <Group justify="space-between" gap="md">
            <div role="status">
              <Text size="xl" fw={650}>
                {everything ? 'Everything is paused' : parts > 0 ? 'A part is paused' : 'Nothing is paused'}
              </Text>
              <Text size="sm" c="dimmed">
                {everything
                  ? 'No write leaves, and no run starts.'
                  : `${parts > 0 ? 'Elsewhere, runs' : 'Runs'} start, and writes are sent as playbooks and policies allow.`}
              </Text>
            </div>
            {mayPause && (
              <Group gap="sm">
                {all && !everything && (
                  <Button size="lg" color="red" onClick={() => setAsking('everything')}>
                    Pause everything …
                  </Button>
                )}
                <Button size="lg" variant="default" onClick={() => setAsking('organization')}>
                  Pause a part …
                </Button>
              </Group>
            )}
          </Group>
        </Card>
        <Stack gap="sm" mt="md">
          <Rows of={standing} empty={{ title: 'No pause is active.' }}>
            {(rows) => rows.map((pause) => <Standing key={pause.id} pause={pause} {...(mayPause && { onResume: () => setResuming(pause) })} />)}
          </Rows>
        </Stack>
      </Part>
      {ended.rows.length > 0 && (
        <Part title="Earlier pauses" about="Who paused and who resumed, newest first.">
          <Rows of={ended} empty={{ title: 'There was no pause yet.' }}>
            {(rows) => rows.map((pause) => <Ended key={pause.id} pause={pause} />)}
          </Rows>
        </Part>
      )}
      {asking && <PauseDialog start={asking} onClose={() => setAsking(null)} />}
      {resuming && <ResumeDialog pause={resuming} onClose={() => setResuming(null)} />}
    </Stack>
  )
}

function Standing({ pause, onResume }: { readonly pause: PauseView; readonly onResume?: () => void }): JSX.Element {
  return (
    <Card withBorder padding="sm" component="article" aria-label={`Paused: ${pause.what}`}>
      <Group justify="space-between" gap="sm">
        <div>
          <Group gap={6}>
            <Badge color="orange">Paused</Badge>
            <strong>
              <Foreign value={pause.what} />
            </strong>
          </Group>
          <Text size="sm">
            by <By name={pause.paused_by} />, <When at={pause.paused_at} /> (<Time at={pause.paused_at} />)
          </Text>
          {pause.reason !== null && (
            <Text size="sm">
              <Foreign value={pause.reason} />
            </Text>
          )}
        </div>
        {onResume && (
          <Button variant="default" onClick={onResume}>
            Resume …
          </Button>
        )}
      </Group>
    </Card>
  )
}

function Ended({ pause }: { readonly pause: PauseView }): JSX.Element {
  return (
    <Text size="sm" my={4}>
      <strong>
        <Foreign value={pause.what} />
      </strong>
      : paused by <By name={pause.paused_by} />, <When at={pause.paused_at} />
      {pause.reason !== null && (
        <>
          {' '}
          (<Foreign value={pause.reason} />)
        </>
      )}
      ; resumed by <By name={pause.resumed_by ?? ''} />
      {pause.resumed_at !== null && (
        <>
          , <When at={pause.resumed_at} />
        </>
      )}
      {pause.resumed_reason !== null && (
        <>
          {' '}
          (<Foreign value={pause.resumed_reason} />)
        </>
      )}
    </Text>
  )
}

const kinds: Readonly<Record<Kind, string>> = {
  everything: 'Everything',
  organization: 'An organization',
  playbook: 'A playbook',
  connection: 'A connection',
}

function PauseDialog({ start, onClose }: { readonly start: Kind; readonly onClose: () => void }): JSX.Element {
  const [kind, setKind] = useState<Kind>(start)
  const may = useMay()
  const organizations = useChoices<OrganizationView>('/platformapi/organizations', { enabled: may('organizations:read') })
  const connections = useChoices<{ id: string; instance: string; organization_code: string | null }>('/platformapi/connections', {
    enabled: may('connections:read') && kind === 'connection',
  })
  const pause = useChange(
    (body: object) => ask<PauseView>('POST', path, body),
    ({ what }) => `Paused: ${what}`,
  )
  const submit = (fields: FormData): void => {
    const named = Object.fromEntries(
      ['organization', 'playbook', 'connection', 'reason'].flatMap((name) => {
        const value = textIn(fields, name)
        return value === null ? [] : [[name, value]]
      }),
    )
    pause.mutate(named, { onSuccess: onClose })
  }
  const codes = organizations.rows.map(({ code }) => code)
  return (
    <FormDialog
      title={start === 'everything' ? 'Pause everything' : 'Pause a part'}
      action={`Pause ${kind === 'everything' ? 'everything' : `the ${kind}`}`}
      risky
      pending={pause.isPending}
      error={pause.error}
      onClose={onClose}
      onSubmit={submit}
    >
      {start !== 'everything' && (
        <SegmentedControl
          aria-label="What to pause"
          value={kind}
          onChange={(value) => setKind(value as Kind)}
          data={(['organization', 'playbook', 'connection'] as const).map((value) => ({ value, label: kinds[value] }))}
        />
      )}
      {kind === 'everything' && <Text size="sm">No organization, playbook or connection sends a write until somebody resumes.</Text>}
      {kind === 'playbook' && <TextInput name="playbook" label="Name of the playbook or sub-playbook" required maxLength={256} />}
      {(kind === 'organization' || kind === 'playbook') &&
        (codes.length > 0 ? (
          <NativeSelect
            name="organization"
            label={kind === 'playbook' ? 'Only in the organization' : 'Organization'}
            required={kind === 'organization'}
            data={[{ value: '', label: kind === 'playbook' ? 'All organizations' : 'Choose one' }, ...codes]}
          />
        ) : (
          <TextInput name="organization" label="Code of the organization" required={kind === 'organization'} maxLength={256} />
        ))}
      {kind === 'connection' &&
        (connections.rows.length > 0 ? (
          <NativeSelect
            name="connection"
            label="Connection"
            required
            data={[
              { value: '', label: 'Choose one' },
              ...connections.rows.map(({ id, instance, organization_code: code }) => ({
                value: id,
                label: `${instance} (${code ?? 'all organizations'})`,
              })),
            ]}
          />
        ) : (
          <TextInput name="connection" label="Id of the connection" required maxLength={36} />
        ))}
      <Textarea name="reason" label="Reason" description="Everybody who may read pauses sees it." rows={2} maxLength={2_000} data-autofocus />
    </FormDialog>
  )
}

function ResumeDialog({ pause, onClose }: { readonly pause: PauseView; readonly onClose: () => void }): JSX.Element {
  const resume = useChange(
    (reason: string | null) => ask<PauseView>('DELETE', `${path}/${pause.id}${reason === null ? '' : `?${new URLSearchParams({ reason })}`}`),
    ({ what }) => `Resumed: ${what}`,
  )
  return (
    <FormDialog
      title="Resume"
      action="Resume"
      pending={resume.isPending}
      error={resume.error}
      onClose={onClose}
      onSubmit={(fields) => resume.mutate(textIn(fields, 'reason'), { onSuccess: onClose })}
    >
      <Text size="sm">
        <Foreign value={pause.what} /> continues within seconds, unless another pause holds it too. Waiting writes are sent.
      </Text>
      <Textarea name="reason" label="Reason" rows={2} maxLength={2_000} data-autofocus />
    </FormDialog>
  )
}
