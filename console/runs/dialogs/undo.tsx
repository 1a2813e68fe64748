import { Alert, Badge, Button, Group, Stack, Text, Textarea, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type JSX, useState } from 'react'
import type { RunUndoView } from '../../../runtime/api/index.ts'
import { remedyHere } from '../../api/remedies.ts'
import { Foreign, Json } from '../../shared/foreign.tsx'
import { RunLink } from '../../shared/links.tsx'
import { ProblemNote } from '../../shared/problem.tsx'
import { Loading } from '../../shared/states.tsx'
import { done } from '../../shared/toasts.tsx'
import { Dialog } from '../../shell/dialog.tsx'
import { useMay } from '../../shell/who.ts'
import { undoQuery, undoRun } from '../queries.ts'

type Plan = NonNullable<RunUndoView['plan']>
type Undo = NonNullable<RunUndoView['undo']>

/** Shows exactly what an undo will send and what it will leave, before anybody can start it. */
export function UndoDialog({ run, onClose }: { readonly run: string; readonly onClose: () => void }): JSX.Element {
  const may = useMay()('runs:write')
  const [reason, setReason] = useState('')
  const { data, error, refetch } = useQuery(undoQuery(run))
  const undo = useMutation({
    mutationFn: (plan: string) => undoRun(run, plan, reason.trim()),
    onSuccess: ({ undo: begun }) => {
      done({ text: begun ? `The undo has begun: ${begun.run.run_id}` : 'The undo has begun.' })
      onClose()
    },
    // The plan may have changed since. Show the new one.
    onError: () => void refetch(),
  })
  const plan = data?.plan ?? null
  return (
    <Dialog onClose={onClose} title="Undo what this run changed" size="xl" busy={undo.isPending}>
      {error && <ProblemNote error={error} />}
      {!data && !error && <Loading what="Making the plan" />}
      {data && (
        <Stack>
          {data.undo && <Before undo={data.undo} />}
          {plan && <PlanShown plan={plan} />}
          {undo.error && <ProblemNote error={undo.error} />}
          {plan && plan.steps.length > 0 && may && (
            <>
              <Textarea
                label="Reason"
                description="Shown in the case."
                maxLength={2_000}
                value={reason}
                onChange={({ currentTarget }) => setReason(currentTarget.value)}
              />
              <Group justify="flex-end">
                <Button variant="default" onClick={onClose} disabled={undo.isPending}>
                  Leave it
                </Button>
                <Button color="red" loading={undo.isPending} onClick={() => undo.mutate(plan.digest)}>
                  {plan.steps.length === 1 ? 'Send this call' : `Send these ${plan.steps.length} calls`}
                </Button>
              </Group>
            </>
          )}
        </Stack>
      )}
    </Dialog>
  )
}

const holds = { approval: 'people must approve it first', protected: 'its target is protected, so it is not sent' }

function PlanShown({ plan }: { readonly plan: Plan }): JSX.Element {
  return (
    <>
      <Title order={3} size="h5">
        {plan.steps.length === 0 ? 'There is nothing that an undo can take back' : 'These calls are sent, in this order'}
      </Title>
      {plan.steps.map(({ undoes, skill, targets, connection, input, held, impact }) => (
        <section key={undoes.step} className="action run-undo" aria-label={skill}>
          <Text size="sm" mt="sm">
            <strong>
              <Foreign value={skill} />
            </strong>{' '}
            on <Foreign value={targets.join(', ')} /> via <Foreign value={connection} />{' '}
            {impact === 'high' && <Badge color="orange">high impact</Badge>} {held && <Badge color="red">{holds[held]}</Badge>}
          </Text>
          <Text size="sm" c="dimmed" mb={4}>
            takes back <Foreign value={`${undoes.skill ?? 'the write'} at ${undoes.step}`} />
          </Text>
          <Json value={input} label={`Input of ${skill}`} />
        </section>
      ))}
      <Left left={plan.left} />
      <Text size="xs" c="dimmed">
        Digest of this plan: <Foreign value={plan.digest} />. If the plan changes before you confirm it, nothing is sent.
      </Text>
    </>
  )
}

/** The writes that are not undone, and why. */
function Left({ left }: { readonly left: Plan['left'] }): JSX.Element | null {
  if (left.length === 0) return null
  return (
    <Alert color="orange" title={left.length === 1 ? 'One change stays' : `${left.length} changes stay`}>
      <ul>
        {left.map(({ write, message, remedy }) => (
          <li key={write.step}>
            <strong>
              <Foreign value={`${write.skill ?? write.step}${write.target === null ? '' : ` on ${write.target}`}`} />
            </strong>
            : <Foreign value={`${message} ${remedyHere(remedy)}`} />
          </li>
        ))}
      </ul>
    </Alert>
  )
}

/** The latest undo and its result. */
function Before({ undo: { run, requested_by_name, steps } }: { readonly undo: Undo }): JSX.Element {
  return (
    <Alert color="blue" title={run.ended_at === null ? 'An undo is under way' : 'It was undone before'}>
      <Text size="sm">
        <RunLink id={run.run_id} />, requested by <Foreign value={requested_by_name ?? 'somebody'} />
      </Text>
      <ul>
        {steps.map(({ step, skill, targets, outcome, message }) => (
          <li key={step}>
            <Foreign value={`${skill} on ${targets.join(', ')}`} />: {outcome.replace('_', ' ')}
            {message !== null && (
              <>
                {' '}
                (<Foreign value={message} />)
              </>
            )}
          </li>
        ))}
      </ul>
    </Alert>
  )
}
