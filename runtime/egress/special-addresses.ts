import ipaddr from 'ipaddr.js'

/**
 * Addresses that do not belong to the public internet, or that embed another address. From the IANA
 * registries (iana-ipv4-special-registry, iana-ipv6-special-registry). Each entry names its RFC.
 */
const specialIpv4 = [
  ['0.0.0.0/8', 'this network (RFC 791)'],
  ['10.0.0.0/8', 'private use (RFC 1918)'],
  ['100.64.0.0/10', 'shared address space of providers (RFC 6598)'],
  ['127.0.0.0/8', 'loopback (RFC 1122)'],
  ['169.254.0.0/16', 'link local, metadata services (RFC 3927)'],
  ['172.16.0.0/12', 'private use (RFC 1918)'],
  ['192.0.0.0/24', 'IETF protocol assignments (RFC 6890)'],
  ['192.0.2.0/24', 'documentation (RFC 5737)'],
  ['192.31.196.0/24', 'AS112 (RFC 7535)'],
  ['192.52.193.0/24', 'AMT (RFC 7450)'],
  ['192.88.99.0/24', '6to4 relays (RFC 7526)'],
  ['192.168.0.0/16', 'private use (RFC 1918)'],
  ['192.175.48.0/24', 'AS112 (RFC 7534)'],
  ['198.18.0.0/15', 'benchmarking (RFC 2544)'],
  ['198.51.100.0/24', 'documentation (RFC 5737)'],
  ['203.0.113.0/24', 'documentation (RFC 5737)'],
  ['224.0.0.0/4', 'multicast (RFC 5771)'],
  ['240.0.0.0/4', 'reserved, and broadcast (RFC 1112, RFC 919)'],
] as const

/**
 * The special ranges within 2000::/3. Nothing outside it is global unicast: loopback,
 * IPv4-compatible and -mapped, NAT64, ULA, link local, multicast.
 */
const specialIpv6 = [
  ['2001::/23', 'IETF protocol assignments: Teredo, benchmarking, ORCHID (RFC 2928)'],
  ['2001:db8::/32', 'documentation (RFC 3849)'],
  ['2002::/16', '6to4, which holds an IPv4 address (RFC 3056)'],
  ['2620:4f:8000::/48', 'AS112 (RFC 7534)'],
  ['3fff::/20', 'documentation (RFC 9637)'],
] as const

const globalIpv6 = ipaddr.IPv6.parseCIDR('2000::/3')
const ranges = {
  ipv4: specialIpv4.map(([range]) => ipaddr.IPv4.parseCIDR(range)),
  ipv6: specialIpv6.map(([range]) => ipaddr.IPv6.parseCIDR(range)),
}

/** Returns whether an address belongs to the public internet. */
export function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address instanceof ipaddr.IPv4) return !ranges.ipv4.some((range) => address.match(range))
  return address.match(globalIpv6) && !ranges.ipv6.some((range) => address.match(range))
}
