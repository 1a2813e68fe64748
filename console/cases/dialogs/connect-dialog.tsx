import { Alert, Button, Group, Radio, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type JSX, useState } from 'react'
import type { CaseDetailsView } from '../../../runtime/api/index.ts'
import { oneCase } from '../../api/queries.ts'
import { Refused } from '../../api/refused.ts'
import { CaseStatusBadge, SeverityBadge } from '../../shared/badges.tsx'
import { Foreign } from '../../shared/foreign.tsx'
import { ProblemNote } from '../../shared/problem.tsx'
import { done } from '../../shared/toasts.tsx'
import { Dialog } from '../../shell/dialog.tsx'
import { useCaseAct } from '../use-case.ts'
import { type Then, WhatHappens } from './what-happens.tsx'

/** Links a case to another one, or merges it into that one. */
export function ConnectDialog({ found, onClose }: { readonly found: CaseDetailsView; readonly onClose: () => void }): JSX.Element {
  const act = useCaseAct(found.case_id)
  const [how, setHow] = useState<'link' | 'merge'>('link')
  const [other, setOther] = useState('')
  const [why, setWhy] = useState('')
  const [error, setError] = useState<unknown>(null)
  const [then, setThen] = useState<Then | null>(null)
  // What the API said about open decisions, if the other case is closed.
  const open = how === 'merge' && error instanceof Refused && error.problem.code === 'case_has_open_decisions' ? error.problem.detail : null
  // What was asked and chosen for one case must not be sent for another.
  const again = (): void => {
    setError(null)
    setThen(null)
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const said = why.trim() === '' ? {} : { text: why }
    const what = how === 'link' ? 'The cases were not linked' : 'The case was not merged'
    const refused = (problem: unknown): boolean => {
      setError(problem)
      return true
    }
    const to = other.trim()
    act.mutate(
      how === 'link'
        ? { method: 'POST', part: '/links', body: { case: to, ...said }, what, refused }
        : { method: 'POST', part: '/merge', body: { into: to, ...said, ...(open !== null && then && { open_decisions: then }) }, what, refused },
      {
        onSuccess: () => {
          onClose()
          const undo = how === 'link' ? `/links/${encodeURIComponent(to)}` : '/merge'
          done({
            text: how === 'link' ? `${found.case_id} is linked to ${to}` : `${found.case_id} is merged into ${to}`,
            // Declined decisions stay declined. So the undo is offered only if none was declined.
            ...(!(open !== null && then === 'decline') && {
              undo: () => act.mutate({ method: 'DELETE', part: undo, what: 'That was not taken back' }),
            }),
          })
        },
      },
    )
  }
  return (
    <Dialog onClose={onClose} title={`Connect ${found.case_id} with another case`} busy={act.isPending}>
      <form onSubmit={submit}>
        <Stack>
          <Radio.Group
            label="How"
            value={how}
            onChange={(value) => {
              setHow(value as 'link' | 'merge')
              again()
            }}
          >
            <Stack gap="xs" mt="xs">
              <Radio value="link" label="Link" description="Each of the two shows the other." />
              <Radio value="merge" label="Merge into the other case" description="This case is closed, and the other one continues it." />
            </Stack>
          </Radio.Group>
          <TextInput
            label="The other case"
            placeholder="ACME-12"
            value={other}
            onChange={({ currentTarget }) => {
              setOther(currentTarget.value)
              again()
            }}
            required
            withAsterisk={false}
            data-autofocus
          />
          <Named id={other.trim()} />
          <Textarea label="Why" value={why} maxLength={2_000} autosize minRows={2} onChange={({ currentTarget }) => setWhy(currentTarget.value)} />
          {how === 'merge' && (
            <Alert color="blue">
              <Text size="sm">
                Nothing is moved: alerts, timeline and decisions stay readable here, and runs may still write here. You can take the merge back.
              </Text>
            </Alert>
          )}
          {error !== null && open === null && <ProblemNote error={error} />}
          {open !== null && (
            <>
              <Text size="sm" role="alert">
                <Foreign value={open} /> The other case is closed, and would hide what is open.
              </Text>
              <WhatHappens chosen={then} onChoose={setThen} />
            </>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={act.isPending}>
              Cancel
            </Button>
            <Button type="submit" loading={act.isPending} disabled={other.trim() === '' || (open !== null && then === null)}>
              {how === 'link' ? 'Link' : 'Merge'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

/** How long nobody must type before the case is looked up, in milliseconds. */
const pause = 300
const caseId = /-\d+$/

/** The case that an id names, so that nobody takes the wrong one because of a wrong digit. */
function Named({ id }: { readonly id: string }): JSX.Element {
  const [settled] = useDebouncedValue(id, pause)
  const { data, error } = useQuery({ ...oneCase(settled), enabled: settled === id && caseId.test(settled), retry: false })
  const shown = settled === id && caseId.test(id)
  return (
    <div role="status">
      {shown && data && (
        <Group gap={6}>
          <SeverityBadge severity={data.severity} />
          <CaseStatusBadge status={data.status} />
          <Text size="sm" component="span" fw={500} lineClamp={3}>
            <Foreign value={data.title} />
          </Text>
        </Group>
      )}
      {shown && error instanceof Refused && (
        <Text size="sm" c="var(--mantine-color-error)">
          <Foreign value={error.problem.title} />
        </Text>
      )}
    </div>
  )
}
