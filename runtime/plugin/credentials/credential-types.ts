import type { Json } from '../../domain/index.ts'
import type { CredentialField } from '../grammar/index.ts'

/** Why a value is not of the field's type, to be read after the field's label; null when it is. */
export function typeFault(field: CredentialField, value: Json): string | null {
  switch (field.type) {
    case 'integer':
      return Number.isSafeInteger(value) ? null : 'must be an integer'
    case 'boolean':
      return typeof value === 'boolean' ? null : 'must be true or false'
    case 'enum':
      return field.values?.some((allowed) => allowed === value) ? null : `must be one of ${field.values?.join(', ')}`
    default:
      return typeof value === 'string' ? textFault(field.type, value) : 'must be a text'
  }
}

function textFault(type: 'string' | 'origin' | 'url' | 'base64' | 'uuid', value: string): string | null {
  switch (type) {
    case 'string':
      return null
    case 'origin':
      return originFault(value)
    case 'url':
      return urlFault(value)
    case 'base64':
      return /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(value) ? null : 'must be Base64, with its padding'
    case 'uuid':
      return /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(value) ? null : 'must be a UUID'
  }
}

/** Scheme and host, and a port if it is not 443: nothing that a path, a query or a person could hide in. */
function originFault(value: string): string | null {
  const url = parsed(value)
  if (typeof url === 'string') return url
  if (url.search !== '' || value.includes('?')) return 'must not have a query string; give scheme and host only'
  if (url.hash !== '' || value.includes('#')) return 'must not have a fragment; give scheme and host only'
  if (url.pathname !== '/') return 'must not have a path; give scheme and host only'
  if (value.endsWith('/')) return 'must not end with a slash'
  return null
}

function urlFault(value: string): string | null {
  const url = parsed(value)
  if (typeof url === 'string') return url
  return url.hash === '' ? null : 'must not have a fragment'
}

function parsed(value: string): URL | string {
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? URL.parse(value) : null
  if (!url) return 'must be an address such as https://tenant.example.com'
  if (url.protocol !== 'https:') return 'must begin with https://'
  if (url.username !== '' || url.password !== '') return 'must not have a user name or password in it'
  // A backslash or a control character is read as something else by some parsers.
  return /[\s\\]/.test(value) ? 'has a character that no address may have' : url
}
