import { NativeSelect, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { JSX } from 'react'
import type { CaseDetailsView } from '../../runtime/api/index.ts'
import { caseWords } from '../shared/badges.tsx'
import { When } from '../shared/time/time.tsx'
import { done } from '../shared/toasts.tsx'
import { useMay, useWho } from '../shell/who.ts'
import { Assignee } from './assignee.tsx'
import { ServiceClock } from './clock.tsx'
import { replacedBy, replacedText } from './replaced.ts'
import type { CaseFields } from './requests.ts'
import { takeBack } from './take-back.ts'
import { changeOf, refreshCase, useCaseAct } from './use-case.ts'
import { dispositions, severities, statuses } from './words.ts'

interface FieldsProps {
  readonly found: CaseDetailsView
  readonly onClose: () => void
}

/** Status, severity, disposition and assignee, which people change here, and the clocks. */
export function Fields({ found, onClose }: FieldsProps): JSX.Element {
  const may = useMay()
  const change = useChange(found)
  const fixed = !may('cases:write')
  return (
    <Stack gap="xs">
      <NativeSelect
        label="Status"
        value={found.status}
        disabled={fixed || found.merged_into !== null}
        data={statuses.map((value) => ({ value, label: caseWords.status(value) }))}
        onChange={({ currentTarget: { value } }) => (value === 'closed' ? onClose() : change({ status: value as CaseDetailsView['status'] }))}
      />
      <NativeSelect
        label="Severity"
        value={found.severity}
        disabled={fixed}
        data={severities.map((value) => ({ value, label: caseWords.severity(value) }))}
        onChange={({ currentTarget }) => change({ severity: currentTarget.value as CaseDetailsView['severity'] })}
      />
      <NativeSelect
        label="Disposition"
        value={found.disposition}
        disabled={fixed}
        data={dispositions.map((value) => ({ value, label: caseWords.disposition(value) }))}
        onChange={({ currentTarget }) => change({ disposition: currentTarget.value as CaseDetailsView['disposition'] })}
      />
      <Assignee key={found.assignee} found={found} fixed={fixed} onChange={(assignee) => change({ assignee })} />
      <Stack gap={4} mt="xs">
        <ServiceClock name="Response" clock={found.response} />
        <ServiceClock name="Close" clock={found.close} />
      </Stack>
      <Text size="xs" c="dimmed">
        Opened <When at={found.created_at} />, last change <When at={found.modified_at} />
      </Text>
    </Stack>
  )
}

/** Returns a function that changes fields of a case and offers to take that back. */
export function useChange(found: CaseDetailsView): (fields: CaseFields) => void {
  const act = useCaseAct(found.case_id)
  const queries = useQueryClient()
  const who = useWho()
  return (fields) => {
    const shown = Object.fromEntries(Object.keys(fields).map((name) => [name, found[name as keyof CaseFields]])) as CaseFields
    const what = `${found.case_id} was not changed`
    act.mutate(changeOf(fields, what), {
      onSuccess: (answered) => {
        const before = replacedBy(answered, who.principal_uuid, fields, shown)
        done({
          text: `${found.case_id} is changed`,
          replaced: replacedText(before, shown),
          undo: () => void takeBack({ id: found.case_id, set: fields, before }).finally(() => refreshCase(queries, found.case_id)),
        })
      },
    })
  }
}
