import ipaddr from 'ipaddr.js'
import type { Json } from '../../domain/index.ts'
import { type Meter, type Work, WorkExceeded } from '../work.ts'
import { type Operator, operator, textOf } from './types.ts'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** What reading and comparing an address takes. */
const ofAddress: Work = 300
/** Characters, white space around it included. */
const longestAddress = 100

/** An IPv4 address written as IPv6 (`::ffff:10.0.0.1`) is that IPv4 address. Octal, hexadecimal and shortened forms are refused. */
function addressOf(meter: Meter, value: Json | undefined): Address {
  const given = textOf(value)
  meter.charge(ofAddress)
  if (given.length > longestAddress) throw new Error(`needs an IP address, not \`${given.slice(0, 60)}\``)
  const text = given.trim()
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  if (!ipaddr.IPv6.isValid(text)) throw new Error(`needs an IP address, not \`${text.slice(0, 60)}\``)
  const address = ipaddr.IPv6.parse(text)
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address
}

function contains(meter: Meter, network: string, address: Address): boolean {
  const [base, bits, more] = network.length > longestAddress ? [network] : network.trim().split('/')
  const prefix = bits === undefined || more !== undefined || !/^\d{1,3}$/.test(bits) ? -1 : Number(bits)
  let start: Address
  try {
    start = addressOf(meter, base ?? '')
  } catch (error) {
    if (error instanceof WorkExceeded) throw error
    throw new Error(`needs a network such as 10.0.0.0/8, not \`${network.slice(0, 60)}\``)
  }
  if (prefix < 0 || prefix > (start.kind() === 'ipv4' ? 32 : 128))
    throw new Error(`needs a network such as 10.0.0.0/8, not \`${network.slice(0, 60)}\``)
  return start.kind() === address.kind() && address.match(start as never, prefix)
}

/** Addresses that no stranger on the internet can have. */
const privateRanges = new Set(['private', 'uniqueLocal', 'loopback', 'linkLocal', 'carrierGradeNat'])

/** The host of an e-mail address (also `Ada <ada@example.com>`), of a URL, or of a host name itself; in lower case, without a final dot. */
function domainOf(meter: Meter, value: Json | undefined): string {
  const given = textOf(value)
  meter.charge(50 + given.length)
  const text = given.trim()
  const url = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]*)/i.exec(text)?.[1]
  const mail = text.includes('@') ? (/@([^@\s<>]+)>?$/.exec(text)?.[1] ?? '') : undefined
  const host = (url ?? mail ?? text).toLowerCase().replace(/\.$/, '')
  if (host === '' || /[\s/@<>]/.test(host)) throw new Error(`needs an e-mail address, a URL or a host name, not \`${text.slice(0, 60)}\``)
  return host
}

export const network: Readonly<Record<string, Operator>> = {
  // One network or a list of them, then the address.
  cidr_contains: operator(2, 2, (meter, networks, address) => {
    const parsed = addressOf(meter, address)
    return (Array.isArray(networks) ? (networks as readonly Json[]) : [networks]).some((one) => contains(meter, textOf(one), parsed))
  }),
  is_private_ip: operator(1, 1, (meter, address) => privateRanges.has(addressOf(meter, address).range())),
  domain_of: operator(1, 1, (meter, value) => domainOf(meter, value)),
}
