import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type JSX, useState } from 'react'
import type { RunDetailsView } from '../../../runtime/api/index.ts'
import { ProblemNote } from '../../shared/problem.tsx'
import { done } from '../../shared/toasts.tsx'
import { Dialog } from '../../shell/dialog.tsx'
import { cancelRun } from '../queries.ts'

interface DialogProps {
  readonly run: RunDetailsView
  readonly onClose: () => void
}

/** Asks before a run is cancelled, and says what that does. */
export function CancelDialog({ run, onClose }: DialogProps): JSX.Element {
  const [reason, setReason] = useState('')
  const cancel = useMutation({
    mutationFn: () => cancelRun(run.run_id, reason.trim()),
    onSuccess: () => {
      done({ text: 'The run is cancelled. It starts nothing more.' })
      onClose()
    },
  })
  return (
    <Dialog onClose={onClose} title="Cancel this run?" busy={cancel.isPending}>
      <Stack>
        <Text size="sm">
          The run starts nothing more, and ends as failed. A write that is being sent finishes, and one in doubt is settled first. What the run has
          changed so far stays; you can undo it afterwards.
        </Text>
        <Textarea
          label="Reason"
          description="Shown in the case."
          maxLength={2_000}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
          data-autofocus
        />
        {cancel.error && <ProblemNote error={cancel.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={cancel.isPending}>
            Let it go on
          </Button>
          <Button color="red" loading={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel the run
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
