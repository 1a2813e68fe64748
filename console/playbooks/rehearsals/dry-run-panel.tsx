import { Autocomplete, Button, Checkbox, Stack, Text, Textarea } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type JSX, useState } from 'react'
import type { AlertItemView, DryRunView, PageView } from '../../../runtime/api/index.ts'
import { ask, look } from '../../api/ask.ts'
import { useAddress } from '../../shared/address.ts'
import { Foreign } from '../../shared/foreign.tsx'
import { ProblemNote } from '../../shared/problem.tsx'
import { When } from '../../shared/time/time.tsx'
import { useMay } from '../../shell/who.ts'
import type { Place } from '../queries.ts'
import { DryRunOutcome } from './dry-run-outcome.tsx'
import { Outdated, Working } from './parts.tsx'

/** How many of the newest alerts are offered. */
const mostOffered = 10

interface DryRunPanelProps {
  readonly text: string
  readonly place: Place
}

/** Shows what a run of the text would do for an alert. */
export function DryRunPanel({ text, place }: DryRunPanelProps): JSX.Element {
  const { organization } = place
  const may = useMay()
  const { get } = useAddress()
  const [alertId, setAlert] = useState(get('alert') ?? '')
  const [content, setContent] = useState('')
  const [reads, setReads] = useState(false)
  const run = useMutation({
    mutationFn: (sent: string) =>
      look<DryRunView>('/platformapi/playbooks/dry-run', {
        text: sent,
        ...(alertId.trim() !== '' ? { alert_id: alertId.trim() } : { alert: { alert_content: content } }),
        ...(organization !== null && { organization_code: organization }),
        reads,
      }),
  })
  const ready = alertId.trim() !== '' || content.trim() !== ''
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        No write is sent. Approvals are taken as granted.
      </Text>
      {may('alerts:read') && <AlertField place={place} value={alertId} onChange={setAlert} />}
      {alertId.trim() === '' && (
        <Textarea
          label="Content of an alert"
          description="Instead of an alert that exists."
          placeholder='{ "user": "ada" }'
          autosize
          minRows={2}
          maxRows={10}
          value={content}
          onChange={({ currentTarget }) => setContent(currentTarget.value)}
        />
      )}
      {may('connections:read') && (
        <Checkbox
          label="Send the calls that only read"
          description="Over the connections of the organization, in your name. Otherwise their answers are made up."
          checked={reads}
          onChange={({ currentTarget }) => setReads(currentTarget.checked)}
        />
      )}
      <Button size="compact-md" className="fit" onClick={() => run.mutate(text)} disabled={!ready || run.isPending}>
        Dry run
      </Button>
      {run.isPending && <Working what="Running the text without writes" />}
      {run.error && <ProblemNote error={run.error} />}
      {run.data && (
        <section aria-label="Result of the dry run" aria-live="polite">
          {run.variables !== text && <Outdated />}
          <DryRunOutcome dry={run.data} />
        </section>
      )}
    </Stack>
  )
}

interface AlertFieldProps {
  readonly place: Place
  readonly value: string
  readonly onChange: (id: string) => void
}

/** The id of an alert. Offers the newest alerts of the type. */
function AlertField({ place: { key, kind, organization }, value, onChange }: AlertFieldProps): JSX.Element {
  const { get } = useAddress()
  const query = new URLSearchParams({ type: key, limit: String(mostOffered), ...(organization !== null && { organization }) })
  const { data } = useQuery({
    queryKey: ['alerts', 'to try', key, organization],
    queryFn: ({ signal }) => ask<PageView<AlertItemView>>('GET', `/platformapi/alerts?${query}`, undefined, signal),
    enabled: kind === 'playbook' && get('panel') === 'dry-run',
  })
  const offered = new Map((data?.items ?? []).map((alert) => [alert.alert_id, alert]))
  return (
    <Autocomplete
      label="Alert"
      placeholder="ACME-CRM-1"
      data={[...offered.keys()]}
      value={value}
      onChange={onChange}
      renderOption={({ option: { value: id } }) => {
        const alert = offered.get(id)
        return (
          <Text size="sm" component="div">
            <b>{id}</b> {alert && <Foreign value={alert.alert_name} />}
            {alert && (
              <Text size="xs" c="dimmed">
                <When at={alert.created_at} />
              </Text>
            )}
          </Text>
        )
      }}
    />
  )
}
