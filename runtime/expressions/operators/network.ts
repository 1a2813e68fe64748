import ipaddr from 'ipaddr.js'
import type { Json } from '../../domain/index.ts'
import { type Operator, operator, textOf } from './types.ts'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** An IPv4 address written as IPv6 (`::ffff:10.0.0.1`) is that IPv4 address. Octal, hexadecimal and shortened forms are refused. */
function addressOf(value: Json | undefined): Address {
  const text = textOf(value).trim()
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  if (!ipaddr.IPv6.isValid(text)) throw new Error(`needs an IP address, not \`${text.slice(0, 60)}\``)
  const address = ipaddr.IPv6.parse(text)
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address
}

function contains(network: string, address: Address): boolean {
  const [base, bits, more] = network.trim().split('/')
  const prefix = bits === undefined || more !== undefined || !/^\d{1,3}$/.test(bits) ? -1 : Number(bits)
  let start: Address
  try {
    start = addressOf(base ?? '')
  } catch {
    throw new Error(`needs a network such as 10.0.0.0/8, not \`${network.slice(0, 60)}\``)
  }
  if (prefix < 0 || prefix > (start.kind() === 'ipv4' ? 32 : 128))
    throw new Error(`needs a network such as 10.0.0.0/8, not \`${network.slice(0, 60)}\``)
  return start.kind() === address.kind() && address.match(start as never, prefix)
}

/** Addresses that no stranger on the internet can have. */
const privateRanges = new Set(['private', 'uniqueLocal', 'loopback', 'linkLocal', 'carrierGradeNat'])

/** The host of an e-mail address (also `Ada <ada@example.com>`), of a URL, or of a host name itself; in lower case, without a final dot. */
function domainOf(value: Json | undefined): string {
  const text = textOf(value).trim()
  const url = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]*)/i.exec(text)?.[1]
  const mail = text.includes('@') ? (/@([^@\s<>]+)>?$/.exec(text)?.[1] ?? '') : undefined
  const host = (url ?? mail ?? text).toLowerCase().replace(/\.$/, '')
  if (host === '' || /[\s/@<>]/.test(host)) throw new Error(`needs an e-mail address, a URL or a host name, not \`${text.slice(0, 60)}\``)
  return host
}

export const network: Readonly<Record<string, Operator>> = {
  // One network or a list of them, then the address.
  cidr_contains: operator(2, 2, (networks, address) => {
    const parsed = addressOf(address)
    return (Array.isArray(networks) ? (networks as readonly Json[]) : [networks]).some((one) => contains(textOf(one), parsed))
  }),
  is_private_ip: operator(1, 1, (address) => privateRanges.has(addressOf(address).range())),
  domain_of: operator(1, 1, (value) => domainOf(value)),
}
