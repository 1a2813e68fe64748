import { Button, Group, Loader, Select, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type JSX, useState } from 'react'
import type { PlaybookTemplateView } from '../../../runtime/api/index.ts'
import { ask } from '../../api/ask.ts'
import { Foreign } from '../../shared/foreign.tsx'
import { ProblemNote } from '../../shared/problem.tsx'
import { done } from '../../shared/toasts.tsx'
import { Command } from '../command.tsx'

interface PlaybookStepProps {
  readonly organization: string
  /** How many alert types have a playbook. */
  readonly active: number
}

/** Activates a playbook that ships with Tocsin as the organization's own, so that it can be edited. */
export function PlaybookStep({ organization, active }: PlaybookStepProps): JSX.Element {
  const queries = useQueryClient()
  const { data, error } = useQuery({
    queryKey: ['playbook-templates'],
    queryFn: ({ signal }) => ask<{ readonly items: readonly PlaybookTemplateView[] }>('GET', '/platformapi/playbook-templates', undefined, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const [name, setName] = useState<string | null>('mfa-fatigue')
  const template = data?.items.find((one) => one.name === name)
  const activate = useMutation({
    mutationFn: ({ text }: PlaybookTemplateView) =>
      ask('POST', '/platformapi/playbooks', { playbooks: [{ text }], organization_code: organization, keep_edits: true }),
    onSuccess: () => {
      done({ text: `${name ?? ''} is active for ${organization}` })
      return queries.invalidateQueries({ queryKey: ['installation'] })
    },
  })
  if (error) return <ProblemNote error={error} />
  if (!data) return <Loader size="sm" aria-label="Loading" />
  const playbooks = data.items.filter(({ alert_types: types }) => types.length > 0)
  return (
    <Stack gap="sm">
      <Text size="sm">
        {active === 0 ? 'No alert type has a playbook yet.' : `${active} alert types have a playbook already.`} Tocsin writes one for each other type
        when its first alert arrives. To change one of these, make it the organization's own:
      </Text>
      <Group align="flex-end" gap="sm">
        <Select label="Template" data={playbooks.map((one) => one.name)} value={name} onChange={setName} allowDeselect={false} />
        <Button
          variant="default"
          loading={activate.isPending}
          disabled={!template}
          onClick={() => {
            if (template) activate.mutate(template)
          }}
        >
          Activate it for {organization}
        </Button>
      </Group>
      {template && (
        <Text size="sm" c="dimmed">
          <Foreign value={template.description} /> For the alert types <Foreign value={template.alert_types.join(', ')} />.
        </Text>
      )}
      {activate.error && <ProblemNote error={activate.error} />}
      <Command text={`tocsin playbook activate playbooks/${name ?? 'mfa-fatigue'}.yaml --organization ${organization}`} />
    </Stack>
  )
}
