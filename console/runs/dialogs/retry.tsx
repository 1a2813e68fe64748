import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { JSX } from 'react'
import type { RunDetailsView } from '../../../runtime/api/index.ts'
import { Foreign } from '../../shared/foreign.tsx'
import { ProblemNote } from '../../shared/problem.tsx'
import { done } from '../../shared/toasts.tsx'
import { Dialog } from '../../shell/dialog.tsx'
import { retryAlert } from '../queries.ts'

interface DialogProps {
  readonly run: RunDetailsView
  readonly onClose: () => void
}

/** Asks before the alert of a run is investigated again. Names what this run has already changed. */
export function RetryDialog({ run, onClose }: DialogProps): JSX.Element {
  const retry = useMutation({
    mutationFn: () => retryAlert(run.alert_uuid),
    onSuccess: () => {
      done({ text: `${run.alert_id} is investigated again.` })
      onClose()
    },
  })
  return (
    <Dialog onClose={onClose} title={`Investigate ${run.alert_id} again?`} size="lg" busy={retry.isPending}>
      <Stack>
        <Text size="sm">A new run starts from the beginning, with the playbook that is active now. It continues in the same case.</Text>
        {run.writes.length > 0 && (
          <Alert
            color="orange"
            title={run.writes.length === 1 ? 'This run has already changed something' : `This run has already made ${run.writes.length} changes`}
          >
            <Text size="sm">The new run may make them again.</Text>
            <ul>
              {run.writes.map(({ step, skill, target, outcome }) => (
                <li key={step}>
                  <Foreign value={`${skill ?? step}${target === null ? '' : ` on ${target}`}`} />
                  {outcome === 'unknown' && ' (nobody knows whether it happened)'}
                </li>
              ))}
            </ul>
          </Alert>
        )}
        {retry.error && <ProblemNote error={retry.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={retry.isPending}>
            Leave it
          </Button>
          <Button loading={retry.isPending} onClick={() => retry.mutate()}>
            Investigate again
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
