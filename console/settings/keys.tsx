import { Badge, Button, Checkbox, Group, Table as MantineTable, MultiSelect, SimpleGrid, Text, TextInput } from '@mantine/core'
import { type JSX, useState } from 'react'
import type { CreatedKeyView, KeyView, OrganizationView } from '../../runtime/api/index.ts'
import { ask } from '../api/ask.ts'
import { useAddress } from '../shared/address.ts'
import { Foreign } from '../shared/foreign.tsx'
import { Table } from '../shared/table.tsx'
import { Time, When } from '../shared/time/time.tsx'
import { TimeField } from '../shared/time/time-field.tsx'
import { useMay, useWho } from '../shell/who.ts'
import { FormDialog, Part, Rows, SecretOnce, textIn } from './parts.tsx'
import { ConnectSource } from './sources/connect-source.tsx'
import { useChange, useChoices, usePages } from './use-pages.ts'

const path = '/platformapi/keys'
/** What an alert source needs: the API's default. */
const forSources = ['alerts:write', 'alerts:read', 'organizations:read', 'providers:read']

/** The API keys, with what each may do. */
export function Keys(): JSX.Element {
  const pages = usePages<KeyView>(path)
  const { get, set } = useAddress()
  const may = useMay()
  const mayConnect = (['keys:write', 'alerts:write', 'organizations:read', 'providers:read'] as const).every(may)
  const [connecting, setConnecting] = useState(false)
  const [creating, setCreating] = useState(false)
  const [created, setCreated] = useState<CreatedKeyView | null>(null)
  const [revoking, setRevoking] = useState<KeyView | null>(null)
  const withRevoked = get('revoked') === 'yes'
  const shown = withRevoked ? pages : { ...pages, rows: pages.rows.filter(({ revoked_at }) => revoked_at === null) }
  return (
    <Part
      title="API keys"
      about="Each person, script and alert source needs its own key: what it does is recorded under the key's name. Tocsin keeps only a hash of the key."
      actions={
        <>
          <Checkbox
            label="Show revoked keys"
            checked={withRevoked}
            onChange={({ currentTarget }) => set({ revoked: currentTarget.checked ? 'yes' : null })}
          />
          {mayConnect && (
            <Button variant="default" onClick={() => setConnecting(true)}>
              Connect an alert source …
            </Button>
          )}
          {may('keys:write') && <Button onClick={() => setCreating(true)}>New key …</Button>}
        </>
      }
    >
      <Rows of={shown} empty={{ title: 'There is no key to show.' }}>
        {(rows) => (
          <Table headings={['Name', 'Permissions', 'Organizations', 'Created', 'Last used', 'Expires', 'Actions']}>
            {rows.map((key) => (
              <KeyRow key={key.id} of={key} {...(may('keys:write') && { onRevoke: () => setRevoking(key) })} />
            ))}
          </Table>
        )}
      </Rows>
      {connecting && <ConnectSource onClose={() => setConnecting(false)} />}
      {creating && (
        <CreateKey
          onClose={() => setCreating(false)}
          onCreated={(key) => {
            setCreating(false)
            setCreated(key)
          }}
        />
      )}
      {created && (
        <SecretOnce
          title={`The key of ${created.name}`}
          about="Send it as Authorization: Bearer, or sign in to the console with it."
          value={created.key}
          onClose={() => setCreated(null)}
        />
      )}
      {revoking && <Revoke of={revoking} onClose={() => setRevoking(null)} />}
    </Part>
  )
}

function KeyRow({ of: key, onRevoke }: { readonly of: KeyView; readonly onRevoke?: () => void }): JSX.Element {
  const { principal_uuid: mine } = useWho()
  return (
    <MantineTable.Tr>
      <MantineTable.Td>
        <strong>
          <Foreign value={key.name} />
        </strong>{' '}
        {key.principal_uuid === mine && <Badge>This key</Badge>}
      </MantineTable.Td>
      <MantineTable.Td miw={160} maw={420}>
        <Group gap={4}>
          {key.scopes.map((scope) => (
            <Badge key={scope} color={scope === 'admin' ? 'orange' : 'gray'} size="sm">
              {scope}
            </Badge>
          ))}
        </Group>
      </MantineTable.Td>
      <MantineTable.Td>
        <Foreign value={key.organizations === 'all' ? 'All' : key.organizations.join(', ')} />
      </MantineTable.Td>
      <MantineTable.Td>
        <When at={key.created_at} />
        {key.created_by !== null && (
          <Text size="sm" c="dimmed">
            by <Foreign value={key.created_by_name ?? key.created_by} />
          </Text>
        )}
      </MantineTable.Td>
      <MantineTable.Td>
        {key.last_used_at === null ? (
          <Text size="sm" c="dimmed">
            never
          </Text>
        ) : (
          <When at={key.last_used_at} />
        )}
      </MantineTable.Td>
      <MantineTable.Td>
        <Expiry of={key} />
      </MantineTable.Td>
      <MantineTable.Td>
        {key.revoked_at !== null ? (
          <Text size="sm" c="dimmed">
            revoked <When at={key.revoked_at} />
          </Text>
        ) : (
          onRevoke && (
            <Button variant="default" size="compact-sm" onClick={onRevoke} aria-label={`Revoke ${key.name} …`}>
              Revoke …
            </Button>
          )
        )}
      </MantineTable.Td>
    </MantineTable.Tr>
  )
}

function Expiry({ of: { expires_at, expired } }: { readonly of: KeyView }): JSX.Element {
  if (expires_at === null)
    return (
      <Text size="sm" c="dimmed">
        never
      </Text>
    )
  return expired ? (
    <Badge color="gray" variant="outline">
      Expired <Time at={expires_at} />
    </Badge>
  ) : (
    <When at={expires_at} />
  )
}

function CreateKey({ onClose, onCreated }: { readonly onClose: () => void; readonly onCreated: (key: CreatedKeyView) => void }): JSX.Element {
  const { scopes: own, all_organizations: all } = useWho()
  const may = useMay()
  const [scopes, setScopes] = useState<string[]>(forSources.filter((scope) => (own as readonly string[]).includes(scope)))
  const [organizations, setOrganizations] = useState<string[]>([])
  const [expires, setExpires] = useState<number | null>(null)
  const known = useChoices<OrganizationView>('/platformapi/organizations', { enabled: may('organizations:read') })
  const create = useChange((body: object) => ask<CreatedKeyView>('POST', path, body), null)
  return (
    <FormDialog
      title="New API key"
      action="Create the key"
      pending={create.isPending}
      error={create.error}
      onClose={onClose}
      onSubmit={(fields) =>
        create.mutate(
          {
            name: textIn(fields, 'name'),
            scopes,
            ...(organizations.length > 0 && { organizations }),
            ...(expires !== null && { expires_at: expires }),
          },
          { onSuccess: onCreated },
        )
      }
    >
      <TextInput name="name" label="Name" description="The person, script or source that will use it." required maxLength={200} data-autofocus />
      <Checkbox.Group
        label="Permissions"
        description="What the key may do: at most what yours may. At first, what an alert source needs."
        value={scopes}
        onChange={setScopes}
      >
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={6} mt={6}>
          {own.map((scope) => (
            <Checkbox key={scope} value={scope} label={scope} />
          ))}
        </SimpleGrid>
      </Checkbox.Group>
      <MultiSelect
        label="Organizations"
        description={all ? 'None chosen: all organizations.' : 'None chosen: those of your key.'}
        data={known.rows.map(({ code }) => code)}
        value={organizations}
        onChange={setOrganizations}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'Remove all organizations' }}
      />
      <TimeField
        label="Expires"
        description="From then on, the key no longer works. Use it for people who stay for a while."
        placeholder="Never"
        value={expires}
        onChange={setExpires}
      />
    </FormDialog>
  )
}

function Revoke({ of: key, onClose }: { readonly of: KeyView; readonly onClose: () => void }): JSX.Element {
  const { principal_uuid: mine } = useWho()
  const revoke = useChange(
    () => ask<undefined>('DELETE', `${path}/${key.id}`),
    () => `Revoked: ${key.name}`,
  )
  return (
    <FormDialog
      title="Revoke the key"
      action="Revoke"
      risky
      pending={revoke.isPending}
      error={revoke.error}
      onClose={onClose}
      onSubmit={() => revoke.mutate(undefined, { onSuccess: onClose })}
    >
      <Text size="sm">
        <strong>
          <Foreign value={key.name} />
        </strong>{' '}
        loses access within two seconds. This cannot be taken back: a new key is needed.
      </Text>
      {key.principal_uuid === mine && <Text size="sm">You are signed in with this key. You will be signed out.</Text>}
    </FormDialog>
  )
}
