import { Button, Checkbox, Group, MultiSelect } from '@mantine/core'
import type { JSX } from 'react'
import { useAddress } from '../shared/address.ts'
import { caseWords } from '../shared/badges.tsx'
import { SearchField } from '../shared/search/search-field.tsx'
import type { CaseFilters } from './requests.ts'
import { dispositions, severities, statuses } from './words.ts'

const names = ['q', 'status', 'severity', 'disposition', 'assignee', 'tag', 'organization', 'attention'] as const

/** Returns the filters and the order that the address has. */
export function useCaseFilters(): { readonly filters: CaseFilters; readonly active: boolean; readonly sort: string } {
  const address = useAddress()
  const sort = address.get('sort') ?? '-created_at'
  const filters = Object.fromEntries(names.map((name) => [name, address.all(name)]))
  return { filters: { ...filters, sort }, active: names.some((name) => address.all(name).length > 0), sort }
}

/** The filters of the list and of the board. The address keeps them. */
export function Filters({ statusToo, known }: { readonly statusToo: boolean; readonly known: readonly string[] }): JSX.Element {
  const address = useAddress()
  const assignees = [
    { value: 'me', label: 'Me' },
    { value: 'nobody', label: 'Nobody' },
    ...[...new Set([...known, ...address.all('assignee')])]
      .filter((name) => name !== 'me' && name !== 'nobody')
      .map((name) => ({ value: name, label: name })),
  ]
  const several = (name: string, label: string, data: readonly { readonly value: string; readonly label: string }[]): JSX.Element => (
    <MultiSelect
      aria-label={label}
      placeholder={address.all(name).length === 0 ? `Any ${label.toLowerCase()}` : ''}
      data={[...data]}
      value={[...address.all(name)]}
      onChange={(chosen) => address.set({ [name]: chosen })}
      size="xs"
      w={{ base: 'calc(50% - 5px)', xs: 150 }}
      clearable
      hidePickedOptions
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
    />
  )
  return (
    <Group gap="xs" mb="sm" align="flex-start" role="search" aria-label="Cases">
      <SearchField
        label="Search"
        placeholder="Search id, title, verdict"
        value={address.get('q') ?? ''}
        onSearch={(q) => address.set({ q: q === '' ? null : q })}
        maxLength={200}
        size="xs"
        w={{ base: '100%', xs: 210 }}
      />
      {statusToo && several('status', 'Status', options(statuses, caseWords.status))}
      {several('severity', 'Severity', options(severities, caseWords.severity))}
      {several('disposition', 'Disposition', options(dispositions, caseWords.disposition))}
      {several('assignee', 'Assignee', assignees)}
      <Checkbox
        size="xs"
        mt={6}
        label="Needs attention"
        checked={address.get('attention') === 'true'}
        onChange={({ currentTarget }) => address.set({ attention: currentTarget.checked ? 'true' : null })}
      />
      {names.some((name) => address.all(name).length > 0) && (
        <Button size="xs" variant="subtle" onClick={() => address.set(Object.fromEntries(names.map((name) => [name, null])))}>
          Clear all
        </Button>
      )}
    </Group>
  )
}

function options<Word extends string>(words: readonly Word[], name: (word: Word) => string) {
  return words.map((value) => ({ value, label: name(value) }))
}
