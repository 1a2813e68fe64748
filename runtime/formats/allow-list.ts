import ipaddr from 'ipaddr.js'
import { TocsinError } from '../errors/index.ts'

/** A network, as `ipaddr.js` has it. */
export type AddressRange = ReturnType<typeof ipaddr.parseCIDR>

/** What TOCSIN_EGRESS_ALLOW allows. */
export interface AllowList {
  readonly ranges: readonly AddressRange[]
  /** Host names and addresses in small letters, some with a port. */
  readonly hosts: ReadonlySet<string>
}

function notAllowable(entry: string): TocsinError {
  const remedy = 'Separate entries by commas: 10.1.0.0/16, crm.example.com or crm.example.com:8443. Leave out https:// and the path.'
  return new TocsinError('config_invalid', `TOCSIN_EGRESS_ALLOW "${entry}" is neither a CIDR, nor a host, nor host:port.`, [], { remedy })
}

/**
 * Reads the entries of TOCSIN_EGRESS_ALLOW.
 * @param allow a CIDR, an address, a host name, or `host:port` each
 * @throws TocsinError `config_invalid` for any other entry
 */
export function readAllowList(allow: readonly string[]): AllowList {
  const ranges: AddressRange[] = []
  const hosts = new Set<string>()
  for (const entry of allow) {
    if (ipaddr.isValidCIDR(entry)) ranges.push(ipaddr.parseCIDR(entry))
    else if (ipaddr.isValid(entry)) hosts.add(entry.toLowerCase())
    else if (/^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i.test(entry)) hosts.add(entry.toLowerCase().replace(/^\[(.*)\]/, '$1'))
    else throw notAllowable(entry)
  }
  return { ranges, hosts }
}
