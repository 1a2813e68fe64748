import ipaddr from 'ipaddr.js'

/**
 * Returns what stands for a client when clients are counted: its IPv4 address, or the /64 of its IPv6 address, because a client that has one
 * address of a /64 usually has them all.
 * @param address a text that is no address stands for itself
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address.slice(0, 100)
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const network = (parsed as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16))
  return `${network.join(':')}::/64`
}
