import { domainToASCII } from 'node:url'
import ipaddr from 'ipaddr.js'

/**
 * Normalizes a text, to compare it with others that may mean the same. Ignores case and Unicode
 * composition. Domains, also those of e-mail addresses, get their ASCII form. IPv6 addresses and
 * ranges get one notation.
 */
export function alike(text: string): string {
  const plain = text.trim().normalize('NFC').toLowerCase()
  const [address = '', prefix] = plain.split('/')
  if (address.includes(':') && ipaddr.IPv6.isValid(address))
    return [ipaddr.IPv6.parse(address).toNormalizedString(), ...(prefix === undefined ? [] : [prefix])].join('/')
  const at = plain.lastIndexOf('@')
  const domain = plain.slice(at + 1)
  // Only domains are converted. Other texts stay as they are.
  const ascii = /\P{ASCII}/u.test(domain) && !/\s/.test(domain) ? domainToASCII(domain) : ''
  return ascii === '' ? plain : plain.slice(0, at + 1) + ascii
}

/**
 * Returns a time in epoch milliseconds. Reads what external systems write: ISO 8601 with a time
 * zone, or seconds or milliseconds since 1970. Null if it is none of these.
 */
export function momentIn(value: unknown): number | null {
  if (typeof value === 'number') return value < 100_000_000_000 ? value * 1_000 : value
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*(Z|[+-]\d\d:?\d\d)$/i.test(value)) return null
  const time = Date.parse(value)
  return Number.isNaN(time) ? null : time
}
