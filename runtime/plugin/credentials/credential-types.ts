import type { Json } from '../../domain/index.ts'
import type { CredentialField } from '../grammar/index.ts'

/**
 * Returns why a value does not have the field's type, in words that follow the field's label. Null
 * if it has.
 */
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
      return /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(value) ? null : 'must be Base64 with padding'
    case 'uuid':
      return /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(value) ? null : 'must be a UUID'
  }
}

/**
 * Checks that a value is a scheme and a host, and a port if it is not 443. A path or query could
 * hide where requests go.
 */
function originFault(value: string): string | null {
  const url = parsed(value)
  if (typeof url === 'string') return url
  if (url.search !== '' || value.includes('?')) return 'must not have a query string; enter only scheme and host'
  if (url.hash !== '' || value.includes('#')) return 'must not have a fragment; enter only scheme and host'
  if (url.pathname !== '/') return 'must not have a path; enter only scheme and host'
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
  if (!url) return 'must be a URL such as https://tenant.example.com'
  if (url.protocol !== 'https:') return 'must begin with https://'
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
  // URL parsers disagree about backslashes and control characters.
  return /[\s\\]/.test(value) ? 'contains a character that is not allowed in a URL' : url
}
