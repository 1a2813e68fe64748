import type { Connection } from '../../domain/index.ts'
import { type ErrorPlace, TocsinError } from '../../errors/index.ts'
import { checkCredentials, originFields, type Plugin, readPaste, rolesOf } from '../../plugin/index.ts'
import type { ConnectionChange, ConnectionDraft } from '../types.ts'

type Values = Readonly<Record<string, string | number | boolean | null>>

/** Checked credentials: the plain fields, and the secrets that were entered, by name. */
export interface EnteredCredentials {
  readonly fields: Readonly<Record<string, string | number | boolean>>
  readonly secrets: Readonly<Record<string, string>>
  /** The names of the secrets that stay as they are. */
  readonly kept: readonly string[]
}

function invalid(places: readonly ErrorPlace[]): TocsinError {
  return new TocsinError('connection_invalid', 'Some credential fields are missing or invalid.', places)
}

/** Merges what was typed and what was pasted. @throws TocsinError `connection_invalid` */
function together(plugin: Plugin, credentials: Values, paste: string | null): Values {
  if (paste === null) return credentials
  const pasted = readPaste(plugin.manifest.document, paste)
  if (!pasted.ok) throw invalid(pasted.places)
  const twice = Object.keys(pasted.fields).filter((name) => Object.hasOwn(credentials, name))
  if (twice.length > 0)
    throw invalid(twice.map((name) => ({ field: `credentials.${name}`, message: 'is in the pasted text too. Give it only once.' })))
  return { ...credentials, ...pasted.fields }
}

/** @throws TocsinError `connection_invalid` */
function checkRole({ manifest }: Plugin, role: string | null | undefined): void {
  const roles = rolesOf(manifest.document)
  if (role === null || role === undefined || roles.includes(role)) return
  const known = roles.length === 0 ? 'the integration has no roles' : `the roles are ${roles.join(', ')}`
  throw new TocsinError('connection_invalid', 'The role is unknown.', [{ field: 'role', message: `is not a role of the integration: ${known}.` }])
}

/** Checks the credentials of a new connection. @throws TocsinError `connection_invalid` */
export function newCredentials(
  plugin: Plugin,
  { credentials, paste, role }: Pick<ConnectionDraft, 'credentials' | 'paste' | 'role'>,
): EnteredCredentials {
  checkRole(plugin, role)
  const checked = checkCredentials(plugin.manifest.document, together(plugin, credentials, paste))
  if (!checked.ok) throw invalid(checked.places)
  return { ...checked, kept: [] }
}

/**
 * Merges a change into the credentials of a connection and checks the result.
 * @throws TocsinError `connection_invalid`, also if a field that decides where requests go changes
 * and a secret is not given again
 */
export function changedCredentials(
  plugin: Plugin,
  standing: Connection,
  { credentials = {}, paste = null, role }: Pick<ConnectionChange, 'credentials' | 'paste' | 'role'>,
): EnteredCredentials {
  checkRole(plugin, role)
  const given = together(plugin, credentials, paste)
  const known = plugin.manifest.document.credentials.map(({ name }) => name)
  const stays = Object.entries(standing.fields).filter(([name]) => known.includes(name))
  // Null removes a secret. If the secret is required, the check below reports it as missing.
  const kept = Object.keys(standing.secrets).filter((name) => known.includes(name) && (given[name] === undefined || given[name] === ''))
  const checked = checkCredentials(plugin.manifest.document, { ...Object.fromEntries(stays), ...given }, kept)
  if (!checked.ok) throw invalid(checked.places)
  const moved = originFields(plugin).filter((name) => Object.hasOwn(given, name) && checked.fields[name] !== standing.fields[name])
  if (moved.length > 0 && kept.length > 0) throw invalid(kept.map((name) => askedAgain(plugin, name, moved)))
  return { ...checked, kept }
}

function askedAgain({ manifest }: Plugin, name: string, moved: readonly string[]): ErrorPlace {
  const label = (field: string): string => manifest.document.credentials.find((each) => each.name === field)?.label ?? field
  return { field: `credentials.${name}`, message: `${label(name)} must be given again because ${moved.map(label).join(' and ')} changed.` }
}
