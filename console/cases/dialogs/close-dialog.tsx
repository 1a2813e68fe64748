import { Alert, Button, Group, List, NativeSelect, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type JSX, useState } from 'react'
import { Link } from 'wouter'
import type { CaseDetailsView, CaseView } from '../../../runtime/api/index.ts'
import { oneCase } from '../../api/queries.ts'
import { caseWords } from '../../shared/badges.tsx'
import { Foreign } from '../../shared/foreign.tsx'
import { addressOf } from '../../shared/links.tsx'
import { ProblemNote } from '../../shared/problem.tsx'
import { Loading } from '../../shared/states.tsx'
import { done } from '../../shared/toasts.tsx'
import { Dialog } from '../../shell/dialog.tsx'
import { useWho } from '../../shell/who.ts'
import { replacedBy, replacedText } from '../replaced.ts'
import { takeBack } from '../take-back.ts'
import { refreshCase, useCaseAct } from '../use-case.ts'
import { dispositions } from '../words.ts'
import { type Then, WhatHappens } from './what-happens.tsx'

/** Asks for the disposition of a case that somebody closes, and what happens to its open decisions. */
export function CloseDialog({ id, onClose }: { readonly id: string; readonly onClose: () => void }): JSX.Element {
  const { data, error, isPending } = useQuery(oneCase(id))
  const act = useCaseAct(id)
  return (
    <Dialog onClose={onClose} title={`Close ${id}`} busy={act.isPending}>
      {isPending && <Loading />}
      {error && <ProblemNote error={error} />}
      {data && <Questions found={data} act={act} onClose={onClose} />}
    </Dialog>
  )
}

interface QuestionsProps {
  readonly found: CaseDetailsView
  readonly act: ReturnType<typeof useCaseAct>
  readonly onClose: () => void
}

function Questions({ found, act, onClose }: QuestionsProps): JSX.Element {
  const queries = useQueryClient()
  const who = useWho()
  const [begun] = useState(found)
  // Until somebody chooses one here, the field shows what others have set meanwhile.
  const [chosen, choose] = useState<CaseView['disposition'] | null>(null)
  // If nobody has judged the case, nothing is chosen. Otherwise a quick Enter would close it as pending.
  const disposition = chosen ?? (found.disposition === 'pending' ? null : found.disposition)
  const [decisions, setDecisions] = useState<Then | null>(null)
  const open = found.open_decisions
  // From when the request is sent, the page shows the case as closed.
  const mine = act.isPending || act.isSuccess
  const overtaken = !mine && found.status === 'closed'
  const close = (): void => {
    if (disposition === null) return
    const shown = { status: found.status, disposition: found.disposition }
    const set = { status: 'closed', disposition } as const
    const body = { ...set, ...(open.length > 0 && { open_decisions: decisions }) }
    act.mutate(
      { method: 'PATCH', body, expect: set, what: `${found.case_id} was not closed` },
      {
        onSuccess: (answered) => {
          onClose()
          const before = replacedBy(answered, who.principal_uuid, set, shown)
          done({
            text: `${found.case_id} is closed`,
            replaced: replacedText(before, shown),
            // Declined decisions stay declined. So the undo is offered only if none was declined.
            ...(decisions !== 'decline' && {
              undo: () => void takeBack({ id: found.case_id, set, before }).finally(() => refreshCase(queries, found.case_id)),
            }),
          })
        },
      },
    )
  }
  return (
    <Stack>
      <NativeSelect
        label="Disposition"
        data-autofocus
        value={disposition ?? ''}
        data={[
          ...(disposition === null ? [{ value: '', label: 'Choose one', disabled: true }] : []),
          ...dispositions.map((value) => ({ value, label: caseWords.disposition(value) })),
        ]}
        onChange={({ currentTarget }) => choose(currentTarget.value as CaseView['disposition'])}
      />
      {overtaken ? (
        <Alert color="orange" role="alert" title="Somebody has closed this case meanwhile">
          Its disposition is: {caseWords.disposition(found.disposition)}.
        </Alert>
      ) : (
        !mine &&
        found.disposition !== begun.disposition && (
          <Alert color="orange" role="alert">
            Somebody has changed the disposition meanwhile. It is now: {caseWords.disposition(found.disposition)}.
          </Alert>
        )
      )}
      {open.length > 0 && (
        <>
          <Text size="sm">{open.length === 1 ? 'A run still waits for this decision:' : `Runs still wait for these ${open.length} decisions:`}</Text>
          <List size="sm">
            {open.map(({ id, title }) => (
              <List.Item key={id}>
                <Link href={addressOf.decision(id)}>
                  <Foreign value={title} />
                </Link>
              </List.Item>
            ))}
          </List>
          <WhatHappens chosen={decisions} onChoose={setDecisions} />
        </>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} disabled={act.isPending}>
          Cancel
        </Button>
        <Button onClick={close} loading={act.isPending} disabled={overtaken || disposition === null || (open.length > 0 && decisions === null)}>
          Close the case
        </Button>
      </Group>
    </Stack>
  )
}
