import { Group, Table as MantineTable, NativeSelect, Pill, UnstyledButton } from '@mantine/core'
import { type JSX, useMemo } from 'react'
import type { ActView } from '../../../runtime/api/index.ts'
import { useAddress } from '../../shared/address.ts'
import { Foreign } from '../../shared/foreign.tsx'
import { SearchField } from '../../shared/search/search-field.tsx'
import { Table } from '../../shared/table.tsx'
import { When } from '../../shared/time/time.tsx'
import { Part, Rows } from '../parts.tsx'
import { usePages } from '../use-pages.ts'
import { ActedOn } from './acted-on.tsx'

const path = '/platformapi/audit'
const day = 86_400_000
const periods = [
  { value: '', label: 'Any time' },
  { value: '1', label: 'The last day' },
  { value: '7', label: 'The last 7 days' },
  { value: '30', label: 'The last 30 days' },
]

/** Who did what over the API, newest first. Its filters are in the address. */
export function AuditLog(): JSX.Element {
  const { get, set } = useAddress()
  const [about, by, days] = [get('about') ?? '', get('by'), get('days') ?? '']
  // Kept between renders: with another time, the list would be read again.
  const from = useMemo(() => (days === '' ? null : Math.floor(Date.now() - Number(days) * day)), [days])
  const query = new URLSearchParams({
    ...(about !== '' && { about }),
    ...(by !== null && { by }),
    ...(from !== null && Number.isFinite(from) && { created_from: String(Math.max(0, from)) }),
  })
  const acts = usePages<ActView>(query.size === 0 ? path : `${path}?${query}`)
  return (
    <Part
      title="Audit log"
      about="What people and scripts did over the API and in this console, newest first. Nobody can change an entry. Each is kept for 400 days."
    >
      <Group gap="xs" mb="sm">
        <SearchField
          label="About"
          placeholder="Name or id, in full: ACME-12"
          value={about}
          onSearch={(text) => set({ about: text === '' ? null : text })}
          maxLength={200}
          size="xs"
          w={280}
        />
        <NativeSelect
          aria-label="Time"
          data={periods}
          value={days}
          onChange={({ currentTarget }) => set({ days: currentTarget.value || null })}
          size="xs"
        />
        {by !== null && (
          <Pill
            withRemoveButton
            onRemove={() => set({ by: null })}
            removeButtonProps={{ 'aria-label': 'Show the acts of everybody', tabIndex: 0, 'aria-hidden': false }}
          >
            by <Foreign value={by} />
          </Pill>
        )}
      </Group>
      <Rows
        of={acts}
        empty={
          query.size === 0
            ? { title: 'Nobody has done anything yet.' }
            : { title: 'No entry fits.', text: 'A name or id must be complete. A button beside a shortened id copies all of it.' }
        }
      >
        {(rows) => (
          <Table headings={['When', 'Who', 'What', 'Details']}>
            {rows.map((act) => (
              <ActRow key={act.id} act={act} onBy={() => set({ by: act.by_uuid })} />
            ))}
          </Table>
        )}
      </Rows>
    </Part>
  )
}

function ActRow({ act, onBy }: { readonly act: ActView; readonly onBy: () => void }): JSX.Element {
  return (
    <MantineTable.Tr>
      <MantineTable.Td>
        <When at={act.at} />
      </MantineTable.Td>
      <MantineTable.Td>
        <UnstyledButton onClick={onBy} aria-label={`Show only what ${act.by} did`} className="acted-by">
          <Foreign value={act.by} />
        </UnstyledButton>
      </MantineTable.Td>
      <MantineTable.Td>
        <Foreign value={act.text} />
      </MantineTable.Td>
      <MantineTable.Td>
        <ActedOn on={act.on} />
      </MantineTable.Td>
    </MantineTable.Tr>
  )
}
