import { Button, Group, List, NativeSelect, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type JSX, useState } from 'react'
import { Link } from 'wouter'
import type { CaseDetailsView, CaseView } from '../../../runtime/api/index.ts'
import { oneCase } from '../../api/queries.ts'
import { caseWords } from '../../shared/badges.tsx'
import { Foreign } from '../../shared/foreign.tsx'
import { addressOf } from '../../shared/links.tsx'
import { ProblemNote } from '../../shared/problem.tsx'
import { Loading } from '../../shared/states.tsx'
import { done, failed } from '../../shared/toasts.tsx'
import { Dialog } from '../../shell/dialog.tsx'
import { changeOf, useCaseAct } from '../use-case.ts'
import { dispositions } from '../words.ts'
import { type Then, WhatHappens } from './what-happens.tsx'

/** Asks for the disposition of a case that somebody closes, and what happens to its open decisions. */
export function CloseDialog({ id, onClose }: { readonly id: string; readonly onClose: () => void }): JSX.Element {
  const { data, error, isPending } = useQuery(oneCase(id))
  return (
    <Dialog onClose={onClose} title={`Close ${id}`}>
      {isPending && <Loading />}
      {error && <ProblemNote error={error} />}
      {data && <Questions found={data} onClose={onClose} />}
    </Dialog>
  )
}

function Questions({ found, onClose }: { readonly found: CaseDetailsView; readonly onClose: () => void }): JSX.Element {
  const act = useCaseAct(found.case_id)
  const [disposition, setDisposition] = useState<CaseView['disposition']>(found.disposition)
  const [decisions, setDecisions] = useState<Then | null>(null)
  const open = found.open_decisions
  const close = (): void => {
    const before = { status: found.status, disposition: found.disposition }
    const body = { status: 'closed', disposition, ...(open.length > 0 && { open_decisions: decisions }) }
    act.mutate(
      { method: 'PATCH', body, expect: { status: 'closed', disposition }, what: `${found.case_id} was not closed` },
      {
        onSuccess: () => {
          onClose()
          done({
            text: `${found.case_id} is closed`,
            // Declined decisions stay declined. So the undo is offered only if none was declined.
            ...(decisions !== 'decline' && {
              undo: () =>
                act.mutate(changeOf(before, `${found.case_id} was not opened again`), { onError: (error) => failed('Not opened again', error) }),
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
        value={disposition}
        data={dispositions.map((value) => ({ value, label: caseWords.disposition(value) }))}
        onChange={({ currentTarget }) => setDisposition(currentTarget.value as CaseView['disposition'])}
      />
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
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button onClick={close} loading={act.isPending} disabled={open.length > 0 && decisions === null}>
          Close the case
        </Button>
      </Group>
    </Stack>
  )
}
