import { Autocomplete, Button, Group } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type JSX, useState } from 'react'
import type { CaseDetailsView } from '../../runtime/api/index.ts'
import { Foreign } from '../shared/foreign.tsx'
import { useWho } from '../shell/who.ts'
import { peopleOf } from './requests.ts'

interface AssigneeProps {
  readonly found: CaseDetailsView
  readonly fixed: boolean
  readonly onChange: (assignee: string | null) => void
}

/**
 * Who works on a case. Only the whole name of a person who may see the case is set at once. Any other text, such as the beginning of a name,
 * needs a confirmation: it would take the case from the list of unassigned cases, and nobody would find it among theirs.
 */
export function Assignee({ found, fixed, onChange }: AssigneeProps): JSX.Element {
  const who = useWho()
  const queries = useQueryClient()
  const [name, setName] = useState(found.assignee ?? '')
  const [unknown, setUnknown] = useState<string | null>(null)
  const { data } = useQuery({ ...peopleOf(found.case_id), enabled: !fixed })
  const set = async (text: string): Promise<void> => {
    const to = text.trim()
    if (to === (found.assignee ?? '')) return
    if (to === '') return onChange(null)
    const same = ({ name: one }: { readonly name: string }): boolean => one.toLowerCase() === to.toLowerCase()
    // The first list may have only some of the people.
    const person = data?.items.find(same) ?? (await queries.fetchQuery(peopleOf(found.case_id, to)).catch(() => null))?.items.find(same)
    if (person) onChange(person.name)
    else setUnknown(to)
  }
  const is = name.trim()
  return (
    <div>
      <Autocomplete
        label="Assignee"
        placeholder="Nobody"
        value={name}
        disabled={fixed}
        maxLength={200}
        data={[...new Set(data?.items.map((person) => person.name) ?? [])]}
        limit={8}
        error={unknown !== null && unknown === is && 'Not assigned: nobody with this name may see the case.'}
        onChange={setName}
        onOptionSubmit={(chosen) => void set(chosen)}
        onBlur={() => void set(name)}
        onKeyDown={({ key, nativeEvent }) => {
          if (key === 'Enter' && !nativeEvent.isComposing) void set(name)
        }}
      />
      {!fixed && (
        <Group mt={4} gap={4}>
          {found.assignee !== who.name && (
            <Button size="compact-xs" variant="subtle" className="long-label" onClick={() => onChange(who.name)}>
              Assign to me (<Foreign value={who.name} />)
            </Button>
          )}
          {unknown !== null && unknown === is && (
            <Button size="compact-xs" variant="subtle" className="long-label" onClick={() => onChange(unknown)}>
              Assign to “<Foreign value={unknown} />” anyway
            </Button>
          )}
        </Group>
      )}
    </div>
  )
}
