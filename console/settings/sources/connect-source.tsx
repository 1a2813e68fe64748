import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { type JSX, useState } from 'react'
import type { CreatedKeyView, ProviderView } from '../../../runtime/api/index.ts'
import { ask } from '../../api/ask.ts'
import { useOrganizations } from '../../integrations/organizations.ts'
import { FormDialog, SecretOnce, textIn } from '../parts.tsx'
import { useChange, useChoices } from '../use-pages.ts'
import { placesIn } from './body-places.ts'
import { PlaceField } from './place-field.tsx'

/** What the address says besides organization, provider and type: where the body has more (API: alerts, any body). */
const places = [
  { name: 'alert_type_at', label: 'Where the type is', description: 'The alert type decides which playbook runs.', example: '/rule/name' },
  {
    name: 'idempotency_key_at',
    label: 'Where the id is',
    description: 'If the source sends the same id again, there is no second alert.',
    example: '/event/id',
  },
  { name: 'created_at_source_at', label: 'Where the time is', description: 'When the source noticed it.', example: '/event/time' },
] as const

/** Makes the address to which an alert source posts its own bodies, with a new key that can do nothing else. */
export function ConnectSource({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const organizations = useOrganizations() ?? []
  const providers = useChoices<ProviderView>('/platformapi/providers')
  const [sample, setSample] = useState('')
  const [address, setAddress] = useState<string | null>(null)
  const create = useChange((body: object) => ask<CreatedKeyView>('POST', '/platformapi/keys', body), null)
  const found = placesIn(sample)
  if (address !== null) {
    return (
      <SecretOnce
        title="The address of the source"
        about="Enter it as the webhook address of the source. Anyone who has it can send alerts of the organization, and do nothing else. If the source can send headers, you may take the key out of the path and send it as Authorization: Bearer."
        value={address}
        onClose={onClose}
      />
    )
  }
  return (
    <FormDialog
      title="Connect an alert source"
      action="Create the address"
      pending={create.isPending}
      error={create.error}
      onClose={onClose}
      onSubmit={(fields) =>
        create.mutate(
          { name: textIn(fields, 'name'), scopes: ['alerts:write'], organizations: [textIn(fields, 'organization_code')] },
          { onSuccess: ({ key }) => setAddress(addressOf(key, fields)) },
        )
      }
    >
      <TextInput name="name" label="Name" description="The source. Its key gets this name." required maxLength={200} data-autofocus />
      <NativeSelect name="organization_code" label="Organization" required data={choices(organizations.map((code) => ({ code, name: code })))} />
      <NativeSelect name="alert_provider" label="Provider" required data={choices(providers.rows)} />
      <TextInput
        name="alert_type"
        label="Alert type"
        description="For each alert whose body has no type. Without any type, Tocsin stores an alert and does not investigate it."
        maxLength={200}
      />
      <Textarea
        label="A body of the source"
        description="JSON, to choose from below. It is not sent anywhere."
        value={sample}
        onChange={({ currentTarget }) => setSample(currentTarget.value)}
        error={
          found === null && sample.trim() !== '' ? 'This is not JSON. Tocsin takes it, but cannot read a type, an id or a time in it.' : undefined
        }
        rows={5}
        maxLength={1_000_000}
        spellCheck={false}
        classNames={{ input: 'code-field' }}
      />
      {places.map((place) => (
        <BodyPlace key={place.name} {...place} found={found} />
      ))}
    </FormDialog>
  )
}

interface BodyPlaceProps {
  readonly name: string
  readonly label: string
  readonly description: string
  readonly example: string
  readonly found: ReadonlyMap<string, string> | null
}

/** A place in the body. It shows what the sample has there. */
function BodyPlace({ description, found, ...field }: BodyPlaceProps): JSX.Element {
  const [place, setPlace] = useState('')
  const value = found?.get(place)
  const here =
    found === null || place === ''
      ? description
      : value === undefined
        ? 'The body above has no text and no number there.'
        : `In the body above: ${value.slice(0, 100)}`
  return <PlaceField {...field} description={here} choices={[...(found?.keys() ?? [])]} value={place} onChange={setPlace} />
}

function choices(rows: readonly { readonly code: string; readonly name: string }[]) {
  return [{ value: '', label: 'Choose one' }, ...rows.map(({ code, name }) => ({ value: code, label: name === code ? code : `${code} (${name})` }))]
}

function addressOf(key: string, fields: FormData): string {
  const address = new URL(`/platformapi/alerts/raw/${key}`, window.location.origin)
  for (const name of ['organization_code', 'alert_provider', 'alert_type', ...places.map((place) => place.name)]) {
    const value = textIn(fields, name)
    if (value !== null) address.searchParams.set(name, value)
  }
  // Slashes need no escape in a query, and are easier to read.
  return address.href.replaceAll('%2F', '/')
}
