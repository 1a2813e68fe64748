import { domainToASCII } from 'node:url'
import ipaddr from 'ipaddr.js'
import type { inputFormats } from '../../grammar/index.ts'

const email = /^[^\s@<>()",;:\\[\]]{1,64}@(?=.{1,253}$)[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}))*$/
const hostname = /^(?=.{1,253}$)[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,62})(?:\.[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,62}))*\.?$/
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i
const date = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/
const dateTime = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/

/** Longer texts are of no format; it also bounds what a check may cost on hostile content. */
const maxLength = 8_192

const tests: Readonly<Record<(typeof inputFormats)[number], (text: string) => boolean>> = {
  email: (text) => email.test(withAsciiDomain(text)),
  ip: (text) => isV4(text) || ipaddr.IPv6.isValid(text),
  ipv4: isV4,
  ipv6: (text) => ipaddr.IPv6.isValid(text),
  hostname: (text) => hostname.test(text),
  uri: (text) => /^[A-Za-z][A-Za-z0-9+.-]*:\S+$/.test(text) && URL.canParse(text),
  uuid: (text) => uuid.test(text),
  date: (text) => date.test(text) && !Number.isNaN(Date.parse(text)),
  'date-time': (text) => dateTime.test(text) && !Number.isNaN(Date.parse(text.replace(' ', 'T'))),
}

/** An international domain is looked at in its ASCII form (RFC 5890). */
function withAsciiDomain(text: string): string {
  const at = text.lastIndexOf('@') + 1
  const domain = text.slice(at)
  return /\P{ASCII}/u.test(domain) && /^[\p{L}\p{N}\p{M}.-]+$/u.test(domain) ? text.slice(0, at) + domainToASCII(domain) : text
}

/** Four decimal parts: the octal and shortened forms that some programs read as other addresses are refused. */
function isV4(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text)
}

export function fitsFormat(format: (typeof inputFormats)[number], text: string): boolean {
  return text.length <= maxLength && tests[format](text)
}
