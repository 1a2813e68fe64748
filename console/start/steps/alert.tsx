import { Autocomplete, Button, Group, Stack, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type JSX, useState } from 'react'
import type { AlertItemView } from '../../../runtime/api/index.ts'
import { ask } from '../../api/ask.ts'
import { ProblemNote } from '../../shared/problem.tsx'
import { Command, quoted } from '../command.tsx'

interface AlertStepProps {
  readonly organization: string
  readonly provider: string
  /** The alert types that have a playbook. */
  readonly types: readonly string[]
  readonly onPosted: () => void
}

/** An alert that the shipped playbooks can read. The names and addresses are reserved for documentation. */
const example = JSON.stringify(
  {
    title: 'Many MFA pushes denied (test)',
    user: { email: 'ada.lovelace@acme.example' },
    source_ip: '203.0.113.77',
    pushes: { sent: 9, denied: 8, approved: 1 },
  },
  null,
  2,
)

/** Posts a test alert, as an alert source would. */
export function AlertStep({ organization, provider, types, onPosted }: AlertStepProps): JSX.Element {
  const queries = useQueryClient()
  const [type, setType] = useState('mfa_fatigue')
  const [content, setContent] = useState(example)
  const post = useMutation({
    mutationFn: () =>
      ask<Pick<AlertItemView, 'alert_id'>>('POST', '/platformapi/alerts', {
        alert_content: content,
        alert_provider: provider,
        organization_code: organization,
        ...(type !== '' && { alert_type: type }),
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['installation'] })
      onPosted()
    },
  })
  return (
    <Stack gap="sm">
      <Autocomplete label="Alert type" description="Decides which playbook runs." data={[...types]} value={type} onChange={setType} maw={320} />
      <Textarea
        label="Content"
        description="What the source knows: JSON or any text."
        value={content}
        onChange={(event) => setContent(event.currentTarget.value)}
        rows={8}
        spellCheck={false}
        classNames={{ input: 'code-field' }}
      />
      <Group>
        <Button loading={post.isPending} onClick={() => post.mutate()}>
          Post the test alert
        </Button>
      </Group>
      {post.error && <ProblemNote error={post.error} />}
      <Command
        text={`tocsin alert post alert.json --organization ${organization} --provider ${quoted(provider)}${type === '' ? '' : ` --type ${quoted(type)}`} --wait 10`}
      />
    </Stack>
  )
}
