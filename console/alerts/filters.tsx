import { Button, Group, MultiSelect, NativeSelect, Pill } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { JSX } from 'react'
import { useAddress } from '../shared/address.ts'
import { Foreign } from '../shared/foreign.tsx'
import { SearchField } from '../shared/search/search-field.tsx'
import { fullTime } from '../shared/time/time.tsx'
import { useMay } from '../shell/who.ts'
import { codes, filterNames } from './queries.ts'

const statuses = ['Created', 'Submitted', 'Inprogress', 'Completed', 'Failed']
const times = [
  { value: '', label: 'Any time' },
  { value: '1', label: 'Last hour' },
  { value: '24', label: 'Last 24 hours' },
  { value: '168', label: 'Last 7 days' },
  { value: '720', label: 'Last 30 days' },
]
/** Filters that links set. They are shown as pills, so that people see and remove them. */
const pills = {
  finished: (value: string) => (value === 'false' ? 'In progress' : 'Finished'),
  case: (value: string) => `Case ${value}`,
  contains: (value: string) => `Contains ${value}`,
  duplicate_of: (value: string) => `Repeats ${value}`,
  playbook: (value: string) => `Investigator ${value}`,
  type: (value: string) => `Type ${value}`,
  created_from: (value: string) => `From ${fullTime(Number(value))}`,
  created_to: (value: string) => `Before ${fullTime(Number(value))}`,
} as const

/** The filters of the list of alerts. The address keeps them. */
export function AlertFilters(): JSX.Element {
  const { get, all, set } = useAddress()
  const may = useMay()
  const organizations = useQuery(codes('organizations', may('organizations:read')))
  const providers = useQuery(codes('providers', may('providers:read')))
  const removed = Object.fromEntries([...filterNames, 'since'].map((name) => [name, null]))
  const filtered = [...filterNames, 'since'].some((name) => get(name) !== null)
  return (
    <Group gap="xs" mb="xs" className="filters">
      <SearchField
        label="Search alerts"
        placeholder="Search words of alerts"
        value={get('q') ?? ''}
        onSearch={(q) => set({ q: q === '' ? null : q })}
        words
        maxLength={500}
        w={{ base: '100%', xs: 260 }}
      />
      <MultiSelect
        aria-label="Status"
        placeholder={all('status').length === 0 ? 'Any status' : ''}
        data={statuses}
        value={[...all('status')]}
        onChange={(status) => set({ status })}
        w={{ base: 'calc(50% - 5px)', xs: 170 }}
        clearable
      />
      <Codes name="organization" label="Organization" known={organizations.data} />
      <Codes name="provider" label="Provider" known={providers.data} />
      <NativeSelect
        aria-label="Creation time"
        data={times}
        value={get('since') ?? ''}
        onChange={({ currentTarget }) => set({ since: currentTarget.value === '' ? null : currentTarget.value })}
      />
      {Object.entries(pills).flatMap(([name, say]) =>
        all(name).map((value) => (
          <Pill
            key={`${name} ${value}`}
            size="md"
            withRemoveButton
            removeButtonProps={{ 'aria-label': `Remove the filter ${say(value)}`, 'aria-hidden': false, tabIndex: 0 }}
            onRemove={() => set({ [name]: all(name).filter((one) => one !== value) })}
          >
            <Foreign value={say(value)} />
          </Pill>
        )),
      )}
      {filtered && (
        <Button variant="subtle" size="compact-sm" onClick={() => set(removed)}>
          Remove all filters
        </Button>
      )}
    </Group>
  )
}

interface CodesProps {
  readonly name: 'organization' | 'provider'
  readonly label: string
  readonly known: readonly string[] | undefined
}

/** Chooses among the codes that the key may see. It is left out if there is only one. */
function Codes({ name, label, known = [] }: CodesProps): JSX.Element | null {
  const { all, set } = useAddress()
  const chosen = all(name)
  if (known.length < 2 && chosen.length === 0) return null
  return (
    <MultiSelect
      aria-label={label}
      placeholder={chosen.length === 0 ? `Any ${label.toLowerCase()}` : ''}
      data={[...new Set([...known, ...chosen])]}
      value={[...chosen]}
      onChange={(codes) => set({ [name]: codes })}
      searchable
      clearable
      limit={50}
      w={{ base: 'calc(50% - 5px)', xs: 180 }}
    />
  )
}
