import { Button, Table as MantineTable, TextInput } from '@mantine/core'
import { type JSX, type ReactNode, useState } from 'react'
import type { OrganizationView, ProviderView } from '../../runtime/api/index.ts'
import { ask } from '../api/ask.ts'
import { Copy } from '../shared/copy.tsx'
import { Foreign } from '../shared/foreign.tsx'
import { Table } from '../shared/table.tsx'
import { When } from '../shared/time/time.tsx'
import { useMay, useWho } from '../shell/who.ts'
import { FormDialog, Part, Rows, textIn } from './parts.tsx'
import { useChange, usePages } from './use-pages.ts'

/** The organizations that the key may see. */
export function Organizations(): JSX.Element {
  return (
    <NamedThings<OrganizationView>
      what="organization"
      about="An organization is a tenant. It owns its alerts, cases and connections. Its code never changes, because ids of alerts and cases contain it."
      headings={['Code', 'Name', 'Created', 'UUID']}
      more={({ uuid }) => (
        <MantineTable.Td>
          <code>{uuid}</code> <Copy value={uuid} what="the UUID" />
        </MantineTable.Td>
      )}
    />
  )
}

/** The kinds of alert sources. */
export function Providers(): JSX.Element {
  return (
    <NamedThings<ProviderView>
      what="provider"
      about="A provider is a kind of alert source. The whole platform knows it by its code, and every alert names one."
      headings={['Code', 'Name', 'Created']}
    />
  )
}

interface NamedThingsProps<Row> {
  readonly what: 'organization' | 'provider'
  readonly about: string
  readonly headings: readonly string[]
  /** Further cells of a row. */
  readonly more?: (row: Row) => ReactNode
}

function NamedThings<Row extends ProviderView>({ what, about, headings, more }: NamedThingsProps<Row>): JSX.Element {
  const pages = usePages<Row>(`/platformapi/${what}s`)
  return (
    <Part title={what === 'organization' ? 'Organizations' : 'Providers'} about={about} actions={<Create what={what} />}>
      <Rows of={pages} empty={{ title: `There is no ${what} yet.` }}>
        {(rows) => (
          <Table headings={headings}>
            {rows.map((row) => (
              <MantineTable.Tr key={row.code}>
                <MantineTable.Td miw={110}>
                  <strong>
                    <Foreign value={row.code} />
                  </strong>
                </MantineTable.Td>
                <MantineTable.Td miw={110}>
                  <Foreign value={row.name} />
                </MantineTable.Td>
                <MantineTable.Td>
                  <When at={row.created_at} />
                </MantineTable.Td>
                {more?.(row)}
              </MantineTable.Tr>
            ))}
          </Table>
        )}
      </Rows>
    </Part>
  )
}

/** Creates an organization or a provider. Offered only to a key of all organizations. */
function Create({ what }: { readonly what: 'organization' | 'provider' }): JSX.Element | null {
  const [opened, setOpened] = useState(false)
  const { all_organizations: all } = useWho()
  const allowed = useMay()(`${what}s:write`)
  const create = useChange(
    (body: object) => ask<{ code: string }>('POST', `/platformapi/${what}s`, body),
    ({ code }) => `Created: ${code}`,
  )
  if (!allowed || !all) return null
  const close = (): void => {
    setOpened(false)
    create.reset()
  }
  return (
    <>
      <Button onClick={() => setOpened(true)}>New {what} …</Button>
      {opened && (
        <FormDialog
          title={`New ${what}`}
          action="Create"
          pending={create.isPending}
          error={create.error}
          onClose={close}
          onSubmit={(fields) => create.mutate({ code: textIn(fields, 'code'), name: textIn(fields, 'name') }, { onSuccess: close })}
        >
          <TextInput
            name="code"
            label="Code"
            description="At most 64 letters, digits, _, - and ., beginning with a letter or digit. It never changes."
            required
            maxLength={64}
            pattern="[A-Za-z0-9][A-Za-z0-9_.\-]*"
            data-autofocus
          />
          <TextInput name="name" label="Name" required maxLength={200} />
        </FormDialog>
      )}
    </>
  )
}
