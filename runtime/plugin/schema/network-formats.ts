import { domainToASCII } from 'node:url'
import ipaddr from 'ipaddr.js'

/** A format of texts in the schemas of skills, besides those of JSON Schema. */
interface TextFormat {
  readonly fits: (text: string) => boolean
  /** To follow "must be". */
  readonly means: string
}

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const names = new RegExp(`^(?:${label}\\.)+${label}$`, 'i')

/** At least two labels, so that a bare word is none, and no address (RFC 1035, 1123). International ones too, in either form (RFC 5890). */
function isDomain(text: string): boolean {
  const name = /^[\p{L}\p{N}\p{M}.-]*$/u.test(text) && /\P{ASCII}/u.test(text) ? domainToASCII(text) : text
  return name.length <= 253 && names.test(name) && !/\.\d+$/.test(name)
}

/** What stands before the `@`: words between dots, or anything printable in quotes (RFC 5321, 6531). */
const word = '[^\\s\\p{C}\\p{Z}"(),.:;<>@\\[\\\\\\]]+'
const mailbox = new RegExp(`^(?:${word}(?:\\.${word})*|"(?:[^"\\\\\\p{C}]|\\\\[^\\p{C}])+")$`, 'u')

/** An address whose mailbox and domain may have letters of any script. */
function isAddress(text: string): boolean {
  const at = text.lastIndexOf('@')
  return text.length <= 320 && at > 0 && mailbox.test(text.slice(0, at)) && isDomain(text.slice(at + 1))
}

/** The bits of an address of this kind; null when it is none. A zone (`%eth0`) says where a packet leaves, not whose address it is. */
function bitsOf(text: string): number | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return 32
  return ipaddr.IPv6.isValid(text) && !text.includes('%') ? 128 : null
}

/** `192.0.2.0/24`, `2001:db8::/32` (RFC 4632, 4291). */
function isRange(text: string): boolean {
  const [, address = '', prefix = ''] = /^([^/]+)\/(0|[1-9]\d{0,2})$/.exec(text) ?? []
  const bits = bitsOf(address)
  return bits !== null && Number(prefix) <= bits
}

/** By name. `email` is JSON Schema's, which knows ASCII alone; `date-time` and its like are as there. */
export const networkFormats: Readonly<Record<string, TextFormat>> = {
  email: { fits: isAddress, means: 'an e-mail address, such as ada@partner.example' },
  domain: { fits: isDomain, means: 'a domain, such as partner.example' },
  'ip-address': { fits: (text) => bitsOf(text) !== null, means: 'an IP address, such as 192.0.2.10 or 2001:db8::10' },
  'cidr-range': { fits: isRange, means: 'a CIDR range, such as 192.0.2.0/24 or 2001:db8::/32' },
}
