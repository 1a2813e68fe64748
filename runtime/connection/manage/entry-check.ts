import type { Connection } from '../../domain/index.ts'
import { type ErrorPlace, isTocsinError } from '../../errors/index.ts'
import { type Plugin, readPaste } from '../../plugin/index.ts'
import type { CheckedEntry, CredentialEntry } from '../types.ts'
import { changedCredentials, newCredentials } from './credential-input.ts'

/**
 * Checks what a person has entered into a connection form, exactly as saving would. Stores nothing,
 * and returns no secret.
 * @param standing the connection that the entry would change. Null: it would make a new one
 */
export function checkEntry(plugin: Plugin, standing: Connection | null, { credentials, paste, role }: CredentialEntry): CheckedEntry {
  const { document } = plugin.manifest
  const pasted = paste === null ? null : readPaste(document, paste)
  const fromPaste: Readonly<Record<string, string>> = pasted?.ok ? pasted.fields : {}
  const problems = problemsOf(() => {
    if (standing === null) {
      const typed = Object.entries(credentials).filter((entry): entry is [string, string | number | boolean] => entry[1] !== null)
      newCredentials(plugin, { credentials: Object.fromEntries(typed), paste, role })
    } else changedCredentials(plugin, standing, { credentials, paste, role })
  })
  const sourceOf = (name: string, value: unknown): CheckedEntry['fields'][number]['source'] => {
    if (Object.hasOwn(fromPaste, name)) return 'paste'
    if (value === null) return null
    if (value !== undefined && value !== '') return 'typed'
    if (standing && (Object.hasOwn(standing.fields, name) || Object.hasOwn(standing.secrets, name))) return 'kept'
    return document.credentials.find((field) => field.name === name)?.default === undefined ? null : 'default'
  }
  const fields = document.credentials.map(({ name, secret, default: preset }) => {
    const given = Object.hasOwn(fromPaste, name) ? fromPaste[name] : credentials[name]
    const source = sourceOf(name, credentials[name])
    const value = source === 'kept' ? standing?.fields[name] : source === 'default' ? preset : given
    const own = problems.find(({ field }) => field === `credentials.${name}`)
    return { name, source, value: secret || source === null ? null : (value ?? null), problem: own?.message ?? null }
  })
  const known = new Set(fields.map(({ name }) => `credentials.${name}`))
  return { ok: problems.length === 0, fields, problems: problems.filter(({ field }) => !known.has(field)) }
}

function problemsOf(check: () => void): readonly ErrorPlace[] {
  try {
    check()
    return []
  } catch (error) {
    if (isTocsinError(error) && error.code === 'connection_invalid') return error.places
    throw error
  }
}
