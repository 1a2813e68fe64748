import { Alert, Badge, Button, Group, List, Stack, Text, Textarea } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type JSX, useState } from 'react'
import type { RunUndoView } from '../../../runtime/api/index.ts'
import { ask } from '../../api/ask.ts'
import { oneCase } from '../../api/queries.ts'
import { Foreign, Json } from '../../shared/foreign.tsx'
import { ProblemNote } from '../../shared/problem.tsx'
import { Loading } from '../../shared/states.tsx'
import { done } from '../../shared/toasts.tsx'
import { Dialog } from '../../shell/dialog.tsx'
import { undoPlan } from '../requests.ts'

interface UndoProps {
  readonly run: string
  /** The case that shows the run. */
  readonly caseId: string
  readonly onClose: () => void
}

/** Shows what an undo of a run would send, and begins exactly that. */
export function UndoDialog(props: UndoProps): JSX.Element {
  const { data, error, isPending } = useQuery(undoPlan(props.run))
  return (
    <Dialog onClose={props.onClose} title="Undo the writes of this run" size="lg">
      {isPending && <Loading what="Reading the plan" />}
      {error && <ProblemNote error={error} />}
      {data?.plan === null && <Text size="sm">An undo of this run is under way.</Text>}
      {data?.plan && <Plan plan={data.plan} {...props} />}
    </Dialog>
  )
}

function Plan({ run, caseId, onClose, plan }: UndoProps & { readonly plan: NonNullable<RunUndoView['plan']> }): JSX.Element {
  const queries = useQueryClient()
  const [reason, setReason] = useState('')
  const begin = useMutation({
    mutationFn: () =>
      ask('POST', `/platformapi/runs/${encodeURIComponent(run)}/undo`, { plan: plan.digest, ...(reason.trim() !== '' && { reason }) }),
    onSuccess: () => {
      done({ text: 'The undo has begun. The case shows how far it gets.' })
      onClose()
    },
    onSettled: () => queries.invalidateQueries({ queryKey: oneCase(caseId).queryKey }),
  })
  return (
    <Stack>
      {plan.steps.length === 0 ? (
        <Text size="sm">There is nothing that an undo could send.</Text>
      ) : (
        <Text size="sm">These calls are sent, in this order:</Text>
      )}
      <List type="ordered" size="sm" spacing="xs">
        {plan.steps.map(({ undoes, skill, targets, connection, input, held, impact }) => (
          <List.Item key={undoes.step}>
            <strong>
              <Foreign value={skill} />
            </strong>{' '}
            on <Foreign value={targets.join(', ')} /> via <Foreign value={connection} /> {impact === 'high' && <Badge color="red">high impact</Badge>}{' '}
            {held === 'approval' && <Badge color="grape">needs an approval</Badge>}
            {held === 'protected' && <Badge color="orange">protected, is not sent</Badge>}
            <details>
              <summary>The exact input</summary>
              <Json value={input} label={`Input of ${skill}`} />
            </details>
          </List.Item>
        ))}
      </List>
      {plan.left.length > 0 && (
        <Alert color="orange" title="These writes stay">
          <List size="sm">
            {plan.left.map(({ write, message, remedy }) => (
              <List.Item key={write.step}>
                <Foreign value={`${write.skill ?? ''} ${write.target ?? ''}: ${message} ${remedy}`} />
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      <Textarea label="Why" value={reason} maxLength={2_000} autosize minRows={2} onChange={({ currentTarget }) => setReason(currentTarget.value)} />
      {begin.error && <ProblemNote error={begin.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button color="red" onClick={() => begin.mutate()} loading={begin.isPending} disabled={plan.steps.length === 0}>
          Undo
        </Button>
      </Group>
    </Stack>
  )
}
