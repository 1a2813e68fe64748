import { domainToASCII } from 'node:url'
import ipaddr from 'ipaddr.js'

/**
 * A text as it is compared with others that may mean the same: without regard to case and composition; a domain with letters beyond ASCII in
 * its ASCII form, also in an address; an IPv6 address or range in one notation.
 */
export function alike(text: string): string {
  const plain = text.trim().normalize('NFC').toLowerCase()
  const [address = '', prefix] = plain.split('/')
  if (address.includes(':') && ipaddr.IPv6.isValid(address))
    return [ipaddr.IPv6.parse(address).toNormalizedString(), ...(prefix === undefined ? [] : [prefix])].join('/')
  const at = plain.lastIndexOf('@')
  const domain = plain.slice(at + 1)
  // What is no domain is left as it is.
  const ascii = /\P{ASCII}/u.test(domain) && !/\s/.test(domain) ? domainToASCII(domain) : ''
  return ascii === '' ? plain : plain.slice(0, at + 1) + ascii
}

/** Epoch milliseconds of a time as external systems write it: ISO 8601 with its zone, or seconds or milliseconds since 1970. Null: it cannot be told. */
export function momentIn(value: unknown): number | null {
  if (typeof value === 'number') return value < 100_000_000_000 ? value * 1_000 : value
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*(Z|[+-]\d\d:?\d\d)$/i.test(value)) return null
  const time = Date.parse(value)
  return Number.isNaN(time) ? null : time
}
