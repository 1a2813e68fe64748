import { isIP } from 'node:net'
import type { TrustedKind } from '../vocabulary.ts'

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const domain = new RegExp(`^(?:${label}\\.)+${label}$`, 'i')

/** Describes what is wrong with a trusted entity's value. Null if it fits its kind. */
export function trustedValueFault(kind: TrustedKind, value: string): string | null {
  switch (kind) {
    case 'domain':
      return isDomain(value) ? null : `${value} is no domain.`
    case 'email_address':
      return isEmail(value) ? null : `${value} is no email address.`
    case 'ip_address':
      return isIP(value) > 0 ? null : `${value} is no IP address.`
    case 'cidr_range':
      return isRange(value) ? null : `${value} is no CIDR range.`
  }
}

function isDomain(value: string): boolean {
  return value.length <= 253 && domain.test(value) && isIP(value) === 0
}

function isEmail(value: string): boolean {
  const at = value.lastIndexOf('@')
  return at > 0 && /^[^\s@"<>]+$/.test(value.slice(0, at)) && isDomain(value.slice(at + 1))
}

function isRange(value: string): boolean {
  const [address = '', prefix = '', more] = value.split('/')
  const version = isIP(address)
  return more === undefined && version > 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128)
}
