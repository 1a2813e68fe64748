import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type JSX, useState } from 'react'
import type { NamedView } from '../../../runtime/api/index.ts'
import { ask } from '../../api/ask.ts'
import { ProblemNote } from '../../shared/problem.tsx'
import { Command, quoted } from '../command.tsx'

interface NamedStepProps {
  readonly what: 'organization' | 'provider'
  /** An example of the code, and of the name. */
  readonly example: readonly [code: string, name: string]
  readonly onCreated: () => void
}

/** Creates an organization or a provider: a code and a name. */
export function NamedStep({ what, example, onCreated }: NamedStepProps): JSX.Element {
  const queries = useQueryClient()
  const [code, setCode] = useState('')
  const [name, setName] = useState('')
  const create = useMutation({
    mutationFn: () => ask<NamedView>('POST', `/platformapi/${what}s`, { code, name: name === '' ? code : name }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['installation'] })
      onCreated()
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    if (code !== '') create.mutate()
  }
  const [exampleCode, exampleName] = example
  return (
    <Stack gap="sm">
      <form onSubmit={submit}>
        <Group align="flex-end" gap="sm">
          <TextInput
            label="Code"
            description="Letters, digits, _, - and . It never changes."
            placeholder={exampleCode}
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
            required
            withAsterisk={false}
          />
          <TextInput
            label="Name"
            placeholder={exampleName}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            className="start-name"
          />
          <Button type="submit" loading={create.isPending} disabled={code === ''}>
            Create the {what}
          </Button>
        </Group>
      </form>
      {create.error && <ProblemNote error={create.error} />}
      <Command text={`tocsin ${what} create ${quoted(code === '' ? exampleCode : code)} ${quoted(name === '' ? exampleName : name)}`} />
    </Stack>
  )
}
