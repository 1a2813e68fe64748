import { domainToASCII } from 'node:url'
import ipaddr from 'ipaddr.js'

export interface TextFormat {
  readonly fits: (text: string) => boolean
  /** Describes a text of this format. Follows "must be". */
  readonly means: string
}

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const names = new RegExp(`^(?:${label}\\.)+${label}$`, 'i')

/**
 * Requires at least two labels (RFC 1035, 1123), so a single word or an IP address does not match.
 * International domains match in both forms (RFC 5890).
 */
function isDomain(text: string): boolean {
  const name = /^[\p{L}\p{N}\p{M}.-]*$/u.test(text) && /\P{ASCII}/u.test(text) ? domainToASCII(text) : text
  return name.length <= 253 && names.test(name) && !/\.\d+$/.test(name)
}

/** The part before the `@`: words between dots, or any printable text in quotes (RFC 5321, 6531). */
const word = '[^\\s\\p{C}\\p{Z}"(),.:;<>@\\[\\\\\\]]+'
const mailbox = new RegExp(`^(?:${word}(?:\\.${word})*|"(?:[^"\\\\\\p{C}]|\\\\[^\\p{C}])+")$`, 'u')

/** Mailbox and domain may use letters of any script. */
function isAddress(text: string): boolean {
  const at = text.lastIndexOf('@')
  return text.length <= 320 && at > 0 && mailbox.test(text.slice(0, at)) && isDomain(text.slice(at + 1))
}

/**
 * Requires four decimal parts. Some programs read octal and shortened forms as other addresses, so these do
 * not match.
 */
function isV4(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text)
}

/** Does not accept a zone (`%eth0`). A zone names a network card of one machine and is not part of the address. */
function isV6(text: string): boolean {
  return ipaddr.IPv6.isValid(text) && !text.includes('%')
}

/** Matches `192.0.2.0/24` and `2001:db8::/32` (RFC 4632, 4291). */
function isRange(text: string): boolean {
  const [, address = '', prefix = ''] = /^([^/]+)\/(0|[1-9]\d{0,2})$/.exec(text) ?? []
  return (isV4(address) && Number(prefix) <= 32) || (isV6(address) && Number(prefix) <= 128)
}

const hostname = /^(?=.{1,253}$)[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,62})(?:\.[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,62}))*\.?$/
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i
const date = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/
const dateTime = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/

/** Matches days that exist: `2026-02-30` does not match. */
function isDate(text: string): boolean {
  if (!date.test(text)) return false
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

function isDateTime(text: string): boolean {
  return dateTime.test(text) && isDate(text.slice(0, 10)) && !Number.isNaN(Date.parse(text.replace(' ', 'T')))
}

export const textFormatNames = ['email', 'domain', 'hostname', 'ip', 'ipv4', 'ipv6', 'cidr-range', 'uri', 'uuid', 'date-time', 'date'] as const
export type TextFormatName = (typeof textFormatNames)[number]

export const textFormats: Readonly<Record<TextFormatName, TextFormat>> = {
  email: { fits: isAddress, means: 'an e-mail address, such as ada@partner.example' },
  domain: { fits: isDomain, means: 'a domain, such as partner.example' },
  hostname: { fits: (text) => hostname.test(text), means: 'a host name, such as mail.partner.example' },
  ip: { fits: (text) => isV4(text) || isV6(text), means: 'an IP address, such as 192.0.2.10 or 2001:db8::10' },
  ipv4: { fits: isV4, means: 'an IPv4 address, such as 192.0.2.10' },
  ipv6: { fits: isV6, means: 'an IPv6 address, such as 2001:db8::10' },
  'cidr-range': { fits: isRange, means: 'a CIDR range, such as 192.0.2.0/24 or 2001:db8::/32' },
  uri: { fits: (text) => /^[A-Za-z][A-Za-z0-9+.-]*:\S+$/.test(text) && URL.canParse(text), means: 'a URI, such as https://partner.example/page' },
  uuid: { fits: (text) => uuid.test(text), means: 'a UUID, such as 0190a6e4-7b5c-7def-8a1b-1234567890ab' },
  'date-time': { fits: isDateTime, means: 'a time with its zone, such as 2026-09-21T08:00:00Z' },
  date: { fits: isDate, means: 'a day, such as 2026-09-21' },
}

/** Longer texts match no format. This also bounds what a check costs on hostile content. */
const maxLength = 8_192

/** Returns whether a text has a format. One that is too long has none. */
export function fitsFormat(format: TextFormatName, text: string): boolean {
  return text.length <= maxLength && textFormats[format].fits(text)
}
