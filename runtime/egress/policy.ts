import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { TocsinError } from '../errors/index.ts'
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

type Range = ReturnType<typeof ipaddr.parseCIDR>

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

function contains([network, bits]: Range, address: ReturnType<typeof ipaddr.process>): boolean {
  return network.kind() === address.kind() && address.match(network, bits)
}

function notAllowable(entry: string): TocsinError {
  const remedy = 'Separate entries by commas: 10.1.0.0/16, crm.example.com or crm.example.com:8443. Leave out https:// and the path.'
  return new TocsinError('config_invalid', `TOCSIN_EGRESS_ALLOW "${entry}" is neither a CIDR, nor a host, nor host:port.`, [], { remedy })
}

/** @throws TocsinError `config_invalid` if `createPolicy` cannot read an entry */
export function mustBeAllowable(allow: readonly string[]): void {
  createPolicy(allow)
}

/**
 * Allows public addresses. Private, loopback, link-local (metadata services) and other special
 * addresses are allowed only if an entry names them.
 * @param allow the entries of TOCSIN_EGRESS_ALLOW: a CIDR, an address, a host name, or `host:port`
 * @throws TocsinError `config_invalid` for any other entry
 */
export function createPolicy(allow: readonly string[]): EgressPolicy {
  const ranges: Range[] = []
  const hosts = new Set<string>()
  for (const entry of allow) {
    if (ipaddr.isValidCIDR(entry)) ranges.push(ipaddr.parseCIDR(entry))
    else if (ipaddr.isValid(entry)) hosts.add(entry.toLowerCase())
    else if (/^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i.test(entry)) hosts.add(entry.toLowerCase().replace(/^\[(.*)\]/, '$1'))
    else throw notAllowable(entry)
  }
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
