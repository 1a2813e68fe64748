import { Alert, Button, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type JSX, useState } from 'react'
import type { ConnectionAnswer } from '../../../runtime/api/index.ts'
import { removeConnection } from '../../api/integrations.ts'
import { Foreign } from '../../shared/foreign.tsx'
import { ProblemNote } from '../../shared/problem.tsx'
import { Dialog } from '../../shell/dialog.tsx'
import { RunsList, UsesList } from './uses-list.tsx'

interface RemoveProps {
  readonly connection: ConnectionAnswer
  onClose(): void
  onRemoved(): void
}

/** Removes a connection, after it has shown who uses it. Secrets are gone afterwards, so there is no undo. */
export function RemoveDialog({ connection, onClose, onRemoved }: RemoveProps): JSX.Element {
  const [typed, setTyped] = useState('')
  const queries = useQueryClient()
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => removeConnection(connection.id),
    onSuccess: async () => {
      onRemoved()
      await queries.invalidateQueries({ queryKey: ['connections'] })
    },
  })
  return (
    <Dialog
      onClose={onClose}
      size="xl"
      busy={isPending}
      title={
        <>
          Remove <Foreign value={connection.instance} />?
        </>
      }
    >
      <Stack>
        <Alert color="red">Its secrets are deleted and cannot be restored. Nothing changes in the external system.</Alert>
        <Title order={3} size="h5">
          Runs whose next call with it fails
        </Title>
        <RunsList connection={connection.id} />
        <Title order={3} size="h5">
          Playbooks that use it
        </Title>
        <UsesList connection={connection.id} leaving />
        <TextInput
          label="To confirm, type the name of the connection"
          description={<Foreign value={connection.instance} />}
          value={typed}
          autoComplete="off"
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        {error && <ProblemNote error={error} />}
        <Group justify="flex-end">
          <Text size="sm" c="dimmed">
            {typed === connection.instance ? '' : 'The names differ.'}
          </Text>
          <Button variant="default" onClick={onClose} disabled={isPending}>
            Keep it
          </Button>
          <Button color="red" disabled={typed !== connection.instance} loading={isPending} onClick={() => mutate()}>
            Remove
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
