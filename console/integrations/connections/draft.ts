import type { ConnectionAnswer, IntegrationView } from '../../../runtime/api/index.ts'

/** What a person has filled in so far. Texts are empty if nothing is filled in. */
export interface Draft {
  readonly instance: string
  /** Null: shared by all organizations. */
  readonly organization: string | null
  readonly description: string
  readonly fields: Readonly<Record<string, string | number | boolean>>
  /** The vendor's file. It stays in the page's memory until the form is saved or cancelled, or the person signs out. */
  readonly paste: string | null
  readonly role: string
  readonly expiresAt: number | null
  readonly remoteAgent: string
  readonly slots: readonly string[]
  readonly isDefault: boolean
}

type Field = IntegrationView['credentials'][number]

/** @param taken instance names that other connections have */
export function newDraft({ id }: IntegrationView, organization: string | null, taken: readonly string[]): Draft {
  return {
    instance: freeName(organization === null ? id : `${id}-${organization.toLowerCase()}`, taken),
    organization,
    description: '',
    fields: {},
    paste: null,
    role: '',
    expiresAt: null,
    remoteAgent: '',
    slots: [],
    isDefault: false,
  }
}

/** Secrets are never sent to the page, so their fields are empty and mean "unchanged". */
export function draftOf(connection: ConnectionAnswer): Draft {
  return {
    instance: connection.instance,
    organization: connection.organization_code,
    description: connection.description,
    fields: connection.credentials as Draft['fields'],
    paste: null,
    role: connection.role ?? '',
    expiresAt: connection.expires_at,
    remoteAgent: connection.remote_agent ?? '',
    slots: connection.slots,
    isDefault: connection.is_default,
  }
}

/** All fields that a person sees, to compare them. */
export function fieldsOf({ fields, paste: _, ...rest }: Draft): Readonly<Record<string, unknown>> {
  return { ...rest, ...fields }
}

function freeName(wanted: string, taken: readonly string[]): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted}-${number}`
    if (!taken.includes(name)) return name
  }
}

/** Returns the fields as the API takes them: only those that are filled in and do not come from the file. */
export function typedFields(fields: readonly Field[], draft: Draft, pasted: ReadonlySet<string>): Record<string, string | number | boolean> {
  return Object.fromEntries(
    fields.flatMap(({ name }) => {
      const value = draft.fields[name]
      return pasted.has(name) || value === undefined || value === '' ? [] : [[name, value] as const]
    }),
  )
}

/** Returns the fields that differ from the connection. Null clears a plain field. An empty secret is unchanged. */
export function changedFields(
  fields: readonly Field[],
  draft: Draft,
  standing: ConnectionAnswer,
  pasted: ReadonlySet<string>,
): Record<string, string | number | boolean | null> {
  return Object.fromEntries(
    fields.flatMap(({ name, secret }) => {
      if (pasted.has(name)) return []
      const value = draft.fields[name] ?? ''
      if (secret) return value === '' ? [] : [[name, value] as const]
      const before = standing.credentials[name] ?? ''
      return value === before ? [] : [[name, value === '' ? null : value] as const]
    }),
  )
}

const orNull = (text: string): string | null => (text.trim() === '' ? null : text)

/** The body that creates the connection. */
export function creationOf(integration: IntegrationView, draft: Draft, pasted: ReadonlySet<string>): object {
  return {
    instance: draft.instance,
    integration: integration.id,
    organization_code: draft.organization,
    description: draft.description,
    credentials: typedFields(integration.credentials, draft, pasted),
    ...(draft.paste !== null && { paste: draft.paste }),
    is_default: draft.isDefault,
    slots: draft.slots,
    expires_at: draft.expiresAt,
    remote_agent: orNull(draft.remoteAgent),
    role: orNull(draft.role),
  }
}

/** The body that changes the connection: its revision, and what differs. */
export function changeOf(integration: IntegrationView, draft: Draft, standing: ConnectionAnswer, pasted: ReadonlySet<string>): object {
  const credentials = changedFields(integration.credentials, draft, standing, pasted)
  const wanted = {
    instance: draft.instance,
    description: draft.description,
    is_default: draft.isDefault,
    slots: draft.slots,
    expires_at: draft.expiresAt,
    remote_agent: orNull(draft.remoteAgent),
    role: orNull(draft.role),
  }
  const differing = Object.entries(wanted).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(standing[name as keyof typeof wanted]))
  return {
    revision: standing.revision,
    ...Object.fromEntries(differing),
    ...(Object.keys(credentials).length > 0 && { credentials }),
    ...(draft.paste !== null && { paste: draft.paste }),
  }
}

/** Returns the text without the lines of one key, so that a person can type its value instead. */
export function withoutKey(text: string, key: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .filter((line) => !/^[\s]*[=:]/.test(line.trimStart().startsWith(key) ? line.trimStart().slice(key.length) : ''))
    .join('\n')
}
