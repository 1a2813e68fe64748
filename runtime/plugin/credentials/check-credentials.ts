import { RE2JS } from 're2js'
import type { Json } from '../../domain/index.ts'
import type { ErrorPlace } from '../../errors/index.ts'
import { hint } from '../../yaml/index.ts'
import type { CredentialField, ManifestDocument } from '../grammar/index.ts'
import { typeFault } from './credential-types.ts'

/**
 * What a person entered, split into plain fields and secrets. Or what is wrong, field by field
 * (`credentials.<name>`).
 */
export type CheckedCredentials =
  | {
      readonly ok: true
      readonly fields: Readonly<Record<string, string | number | boolean>>
      readonly secrets: Readonly<Record<string, string>>
    }
  | { readonly ok: false; readonly places: readonly ErrorPlace[] }

/**
 * Checks a connection form by the manifest's rules. Nothing is corrected: a value that was pasted
 * with quotes, spaces or the whole line is refused with an explanation. Messages never repeat a
 * value.
 * @param kept secret fields that have a value already. They keep it unless a new one is given
 */
export function checkCredentials(
  manifest: ManifestDocument,
  given: Readonly<Record<string, unknown>>,
  kept: readonly string[] = [],
): CheckedCredentials {
  const places: ErrorPlace[] = []
  const fields: Record<string, string | number | boolean> = {}
  const secrets: Record<string, string> = {}
  const refuse = (name: string, message: string): void => void places.push({ field: `credentials.${name}`, message })

  const names = manifest.credentials.map((field) => field.name)
  for (const name of Object.keys(given)) {
    if (!names.includes(name)) refuse(name, `There is no such credential field${hint(name, names) || '.'} The fields are ${names.join(', ')}.`)
  }
  for (const field of manifest.credentials) {
    const value = Object.hasOwn(given, field.name) ? given[field.name] : undefined
    if (isAbsent(value)) {
      if (field.default !== undefined) fields[field.name] = field.default
      else if (field.required && !kept.includes(field.name)) refuse(field.name, `${field.label} is missing.`)
      continue
    }
    const fault = faultOf(field, value, manifest)
    if (fault !== null) refuse(field.name, fault)
    else if (field.secret) secrets[field.name] = String(value)
    else fields[field.name] = value as string | number | boolean
  }
  return places.length > 0 ? { ok: false, places } : { ok: true, fields, secrets }
}

function isAbsent(value: unknown): value is null | undefined | '' {
  return value === undefined || value === null || value === ''
}

function faultOf(field: CredentialField, value: unknown, manifest: ManifestDocument): string | null {
  if (typeof value === 'string') {
    const pasted = pasteFault(field, value, manifest)
    if (pasted !== null) return pasted
    const broken = (field.rules ?? []).find((rule) => !holds(rule, value))
    if (broken) return broken.message
  }
  const fault = typeFault(field, value as Json)
  if (fault !== null) return `${field.label} ${fault}.`
  const inHeader = manifest.auth.scheme === 'header' && manifest.auth.value.credential === field.name
  return inHeader && /[^\x21-\x7e]/.test(String(value))
    ? `${field.label} contains a space or a character that HTTP headers may not have. Copy it again.`
    : null
}

function holds(rule: NonNullable<CredentialField['rules']>[number], value: string): boolean {
  if (rule.matching !== undefined) return RE2JS.compile(rule.matching).matcher(value).find()
  return rule.not_matching === undefined || !RE2JS.compile(rule.not_matching).matcher(value).find()
}

/** Explains what went wrong when the value was copied from the vendor's page or file. */
function pasteFault(field: CredentialField, value: string, manifest: ManifestDocument): string | null {
  if (value.trim() !== value) return `${field.label} begins or ends with a space or a line break. Paste it without.`
  if (/^(["'`]).*\1$/s.test(value) || /^[“‘].*[”’]$/s.test(value)) return `${field.label} is in quotes. Paste it without the quotes.`
  const keys = [field.name, ...(manifest.paste ?? []).flatMap(({ map }) => map[field.name] ?? [])]
  const line = keys.find((key) => value.toLowerCase().startsWith(key.toLowerCase()) && /^\s*[=:]/.test(value.slice(key.length)))
  if (line !== undefined) return `${field.label} is a whole \`${line}=…\` line. Paste only what follows the sign.`
  return /[\p{Cc}\p{Cf}]/u.test(value) ? `${field.label} contains an invisible character. Copy it again.` : null
}
