import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { type AddressRange, readAllowList } from '../formats/index.ts'
import { isPublic } from './special-addresses.ts'

/** Decides whether an address may be connected to. */
export interface EgressPolicy {
  /** Returns whether the name itself is allowed, whatever it resolves to. */
  allowsHost(hostname: string, port: number): boolean
  allowsAddress(address: string): boolean
  /** Returns whether the host is an IP address that may not be connected to. */
  refusesLiteral(hostname: string, port: number): boolean
  /** Returns whether an entry of TOCSIN_EGRESS_ALLOW names the host or its IP address. */
  names(hostname: string, port: number): boolean
}

function parse(text: string): ReturnType<typeof ipaddr.process> | null {
  const address = withoutDots(text)
  // `process` turns an IPv4-mapped IPv6 address (::ffff:0:0/96) into the IPv4 address.
  return ipaddr.isValid(address) ? ipaddr.process(address) : null
}

/**
 * Rewrites an IPv6 address with dots (`::10.0.0.1`) without dots, because `ipaddr.js` would read it
 * as `::ffff:10.0.0.1`.
 */
function withoutDots(address: string): string {
  if (!address.includes(':') || !address.includes('.')) return address
  return URL.parse(`http://[${address.replace(/%.*$/, '')}]`)?.hostname.slice(1, -1) ?? address
}

function contains([network, bits]: AddressRange, address: ReturnType<typeof ipaddr.process>): boolean {
  return network.kind() === address.kind() && address.match(network, bits)
}

/**
 * Allows public addresses. Private, loopback, link-local (metadata services) and other special
 * addresses are allowed only if an entry names them.
 * @param allow the entries of TOCSIN_EGRESS_ALLOW
 * @throws TocsinError `config_invalid` for any other entry
 */
export function createPolicy(allow: readonly string[]): EgressPolicy {
  const { ranges, hosts } = readAllowList(allow)
  const allowsHost = (hostname: string, port: number): boolean => {
    const host = hostname.toLowerCase()
    return hosts.has(host) || hosts.has(`${host}:${port}`)
  }
  const named = (parsed: NonNullable<ReturnType<typeof parse>>): boolean =>
    ranges.some((range) => contains(range, parsed)) || hosts.has(parsed.toString())
  const allowsAddress = (address: string): boolean => {
    const parsed = parse(address)
    return parsed !== null && (isPublic(parsed) || named(parsed))
  }
  return {
    allowsHost,
    allowsAddress,
    refusesLiteral: (hostname, port) => isIP(hostname) > 0 && !allowsHost(hostname, port) && !allowsAddress(hostname),
    names(hostname, port) {
      const parsed = parse(hostname)
      return allowsHost(hostname, port) || (parsed !== null && named(parsed))
    },
  }
}
