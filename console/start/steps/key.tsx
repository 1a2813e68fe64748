import { Alert, Button, Code, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type JSX, useState } from 'react'
import type { CreatedKeyView } from '../../../runtime/api/index.ts'
import { ask } from '../../api/ask.ts'
import { Copy } from '../../shared/copy.tsx'
import { ProblemNote } from '../../shared/problem.tsx'
import { Command, quoted } from '../command.tsx'

interface KeyStepProps {
  readonly organization: string
  readonly provider: string
  /** Called before the key is created: its value must stay in view. */
  readonly onCreate: () => void
  readonly onCopied: () => void
}

/** Creates the API key with which an alert source posts alerts. Its value is shown once. */
export function KeyStep({ organization, provider, onCreate, onCopied }: KeyStepProps): JSX.Element {
  const queries = useQueryClient()
  const [name, setName] = useState(`${provider} of ${organization}`)
  const create = useMutation({
    mutationFn: () => ask<CreatedKeyView>('POST', '/platformapi/keys', { name, organizations: [organization] }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['installation'] }),
    // The value must not stay in memory once this page is closed.
    gcTime: 0,
  })
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    if (name === '') return
    onCreate()
    create.mutate()
  }
  return (
    <Stack gap="sm">
      <form onSubmit={submit}>
        <Group align="flex-end" gap="sm">
          <TextInput
            label="Name of the key"
            description="Who or what will use it."
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            required
            withAsterisk={false}
            className="start-name"
          />
          <Button type="submit" loading={create.isPending} disabled={name === ''}>
            Create the key
          </Button>
        </Group>
      </form>
      {create.error && <ProblemNote error={create.error} />}
      {create.data && (
        <Alert color="teal" title="Copy the key now: it is not shown again.">
          <Group gap={4} wrap="nowrap">
            <Code className="start-command">{create.data.key}</Code>
            <Copy value={create.data.key} what="the key" />
          </Group>
          <Text size="sm" mt="xs">
            It may post and read alerts of {organization}, nothing else.
          </Text>
          <Button size="compact-sm" variant="default" mt="xs" onClick={onCopied}>
            I have copied it
          </Button>
        </Alert>
      )}
      <Command text={`tocsin key create ${quoted(name)} --organizations ${organization}`} />
    </Stack>
  )
}
