import { Badge, Button, Card, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type JSX, useState } from 'react'
import { useLocation } from 'wouter'
import type { PlaybookTemplateView } from '../../runtime/api/index.ts'
import { look } from '../api/ask.ts'
import { Foreign } from '../shared/foreign.tsx'
import { ProblemNote } from '../shared/problem.tsx'
import { Loading } from '../shared/states.tsx'
import { Dialog } from '../shell/dialog.tsx'
import { useMay } from '../shell/who.ts'
import { editorOf } from './addresses.ts'
import { keepDraft, readDraft } from './draft.ts'
import { type Place, templates } from './queries.ts'

const blank = (type: string): string => `format: 1
playbook: ${/^[a-z0-9][a-z0-9_-]*$/.test(type) ? type.replaceAll('_', '-') : 'new-playbook'}
alert_type: ${JSON.stringify(type)}
description: What this playbook does.

steps:
  - id: hand_over
    case: { note: 'An analyst looks at this alert.', status: analyst_pending }
`

/** Begins a playbook: for an alert, from a template, or with an empty text. */
export function NewPlaybook({ alert, onClose }: { readonly alert: string | null; readonly onClose: () => void }): JSX.Element {
  const [, go] = useLocation()
  const may = useMay()
  const shipped = useQuery(templates)
  const [alertId, setAlert] = useState(alert ?? '')
  const [type, setType] = useState('')
  const begin = (place: Place, text: string, tests: string, more?: { readonly alert: string }): void => {
    // Somebody may have begun one for this type already. What they wrote is not replaced.
    if (readDraft(place) === null) keepDraft(place, { text, tests, revision: 0 })
    go(editorOf(place, more))
  }
  const generating = useMutation({
    mutationFn: (id: string) => look<{ text: string; alert_type: string | null }>('/platformapi/playbooks/generate', { alert_id: id }),
    onSuccess: ({ text, alert_type }, id) => begin(placeOf(alert_type ?? 'alert'), text, '', { alert: id }),
  })
  return (
    <Dialog onClose={onClose} title="New playbook" size="xl">
      <Stack gap="lg">
        {may('alerts:read') && (
          <form
            onSubmit={(event) => {
              event.preventDefault()
              generating.mutate(alertId.trim())
            }}
          >
            <Group align="flex-end">
              <TextInput
                label="From an alert"
                description="Tocsin writes a first playbook for its type. It only reads, and you edit it."
                placeholder="ACME-CRM-1"
                value={alertId}
                onChange={({ currentTarget }) => setAlert(currentTarget.value)}
                className="grow"
                data-autofocus
              />
              <Button type="submit" disabled={alertId.trim() === ''} loading={generating.isPending}>
                Write it
              </Button>
            </Group>
            {generating.error && <ProblemNote error={generating.error} />}
          </form>
        )}
        <form
          onSubmit={(event) => {
            event.preventDefault()
            const key = type.trim()
            begin(placeOf(key), blank(key), '')
          }}
        >
          <Group align="flex-end">
            <TextInput
              label="For an alert type"
              description="Begin with an almost empty text."
              placeholder="locked_out"
              value={type}
              onChange={({ currentTarget }) => setType(currentTarget.value)}
              className="grow"
            />
            <Button type="submit" variant="default" disabled={type.trim() === ''}>
              Begin
            </Button>
          </Group>
        </form>
        <Stack gap="xs">
          <Text size="sm" fw={500}>
            From a template
          </Text>
          {shipped.isPending && <Loading />}
          {shipped.error && <ProblemNote error={shipped.error} />}
          {shipped.data?.items.map((template) => (
            <Template key={template.name} template={template} onUse={() => begin(ofTemplate(template), template.text, template.tests ?? '')} />
          ))}
        </Stack>
      </Stack>
    </Dialog>
  )
}

function Template({ template, onUse }: { readonly template: PlaybookTemplateView; readonly onUse: () => void }): JSX.Element {
  const { name, description, alert_types: types, integrations } = template
  return (
    <Card withBorder padding="sm">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div>
          <Text fw={600}>{name}</Text>
          <Text size="sm">{description}</Text>
          <Group gap={4} mt={6}>
            {types.length === 0 && <Badge color="grape">Sub-playbook</Badge>}
            {types.map((type) => (
              <Badge key={type} color="gray" tt="none">
                <Foreign value={type} />
              </Badge>
            ))}
            {integrations.map(({ slot, integration, optional }) => (
              <Badge key={slot} color="harbour" tt="none" variant="outline">
                {integration}
                {optional ? ' (optional)' : ''}
              </Badge>
            ))}
          </Group>
        </div>
        <Button variant="default" size="compact-sm" onClick={onUse} aria-label={`Use ${name}`}>
          Use
        </Button>
      </Group>
    </Card>
  )
}

function placeOf(type: string): Place {
  return { key: type.trim().toLowerCase(), kind: 'playbook', organization: null }
}

function ofTemplate({ name, alert_types: [type] }: PlaybookTemplateView): Place {
  return type === undefined ? { key: name, kind: 'sub_playbook', organization: null } : placeOf(type)
}
