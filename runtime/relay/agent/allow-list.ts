import { BlockList, isIP } from 'node:net'

/** What this agent may connect to. It is local, and the platform cannot widen it. */
export interface AllowList {
  /** Returns whether an entry names the host itself. Then it may be any address. */
  allowsName(host: string, port: number): boolean
  allowsAddress(address: string, port: number): boolean
  /** Returns whether any address could be allowed with this port. If not, no name needs to be resolved. */
  allowsSome(port: number): boolean
}

/** An entry that cannot be read. */
class EntryInvalid extends Error {
  override readonly name = 'EntryInvalid'
}

/** Addresses of the agent's own machine and link, and the metadata services of clouds. A wide range does not include them. */
const ownRanges = [
  '127.0.0.0/8',
  '0.0.0.0/8',
  '169.254.0.0/16',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::1/128',
  '::/128',
  'fe80::/10',
  'ff00::/8',
  // The same behind a NAT64 (RFC 6052).
  '64:ff9b::7f00:0/104',
  '64:ff9b::a9fe:0/112',
  // Metadata services that have no address of the link: AWS over IPv6, Alibaba, Azure, Oracle.
  'fd00:ec2::254/128',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
].map((range) => ({ list: blockList([range]), bits: Number(range.split('/')[1]) }))

interface Range {
  readonly list: BlockList
  /** Null: every port. */
  readonly port: number | null
  /** Whether it is inside one of `ownRanges`. */
  readonly own: boolean
  /** Whether it is one address. */
  readonly single: boolean
}

/**
 * Reads the entries of an allow-list.
 * @param entries `host:port`, `[address]:port`, `range/bits` or `range/bits:port`; names and addresses need a port
 * @param addressesHere returns the addresses of the agent's machine, which may change. A firewall does not see who calls them from here
 * @throws EntryInvalid; Error if an entry is a range and the addresses of the machine cannot be read
 */
export function createAllowList(entries: readonly string[], addressesHere: () => readonly string[] = () => []): AllowList {
  const names = new Set<string>()
  const ranges: Range[] = []
  for (const entry of entries) {
    const range = readRange(entry)
    if (range) ranges.push(range)
    else names.add(readName(entry))
  }
  if (ranges.length > 0) mustBeReadable(addressesHere)
  return {
    allowsName: (host, port) => names.has(`${bare(host)}:${port}`),
    allowsSome: (port) => ranges.some((range) => range.port === null || range.port === port),
    allowsAddress(address, port) {
      const plain = unmapped(address)
      const family = familyOf(plain)
      if (family === null) return false
      const isOwn = ownRanges.some(({ list }) => list.check(plain, family))
      const isHere = !isOwn && blockList(addressesHere()).check(plain, family)
      const names = ({ own, single }: Range): boolean => (isOwn ? own : !isHere || single)
      return ranges.some((range) => (range.port === null || range.port === port) && names(range) && range.list.check(plain, family))
    },
  }
}

/** Without the addresses, each connection to a range would fail. An agent that starts says why. */
function mustBeReadable(addressesHere: () => readonly string[]): void {
  try {
    addressesHere()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(
      `The agent cannot read the addresses of its machine (${why}). It needs them, because a range must not include that machine. In a systemd unit, add AF_NETLINK to RestrictAddressFamilies.`,
      { cause: error },
    )
  }
}

/** Lower case, and without the brackets of an IPv6 address and the dot at the end of a name. */
function bare(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
}

/** Returns the IPv4 address in an IPv4-mapped IPv6 address. */
function unmapped(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address
}

function familyOf(address: string): 'ipv4' | 'ipv6' | null {
  const version = isIP(address)
  return version === 4 ? 'ipv4' : version === 6 ? 'ipv6' : null
}

/** The bits of an address. */
const longest = { ipv4: 32, ipv6: 128 } as const

/** @param ranges with their bits, or addresses */
function blockList(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    const family = familyOf(address) ?? 'ipv4'
    list.addSubnet(address, Number(bits ?? longest[family]), family)
  }
  return list
}

function readRange(entry: string): Range | null {
  const found = /^\[?([0-9a-f.:]+)\]?\/(\d{1,3})(?::(\d{1,5}))?$/i.exec(entry)
  if (!found) return null
  const [, address = '', bits = '', port] = found
  const family = familyOf(address)
  if (family === null || Number(bits) > longest[family]) throw invalid(entry)
  return {
    list: blockList([`${address}/${bits}`]),
    port: port === undefined ? null : readPort(port, entry),
    own: ownRanges.some((own) => own.list.check(address, family) && Number(bits) >= own.bits),
    single: Number(bits) === longest[family],
  }
}

function readName(entry: string): string {
  const found = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+):(\d{1,5})$/i.exec(entry)
  if (!found) throw invalid(entry)
  const [, host = '', port = ''] = found
  return `${bare(host)}:${readPort(port, entry)}`
}

function readPort(text: string, entry: string): number {
  const port = Number(text)
  if (port < 1 || port > 65_535) throw invalid(entry)
  return port
}

function invalid(entry: string): EntryInvalid {
  return new EntryInvalid(`"${entry}" is neither host:port nor a CIDR. Examples: crm.example.com:443, 10.1.2.3:8443, 10.1.0.0/16, 10.1.0.0/16:443.`)
}
