import { readFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import { asId, type OrganizationId } from '../../runtime/domain/index.ts'
import { createAllowList, readOptions } from '../../runtime/relay/agent/index.ts'
import { eachTest } from './support/each-test.ts'
import { plant, type Site } from './support/site.ts'
import { Target } from './support/target.ts'

let site: Site
let target: Target
eachTest((...made) => {
  ;[site, target] = made
})

test('an organization reaches its own agents only, also if others have the same name', async () => {
  const acme = { organization: asId<OrganizationId>('acme'), name: 'plant' }
  const { log } = await site.agent([target.entry], acme)
  for (const other of [plant, { ...acme, organization: asId<OrganizationId>('umbrella') }, { ...acme, name: 'Plant' }])
    await expect(site.route(other).open('127.0.0.1', target.port)).rejects.toMatchObject({ code: 'agent_offline' })
  expect(log).toEqual([])
  await site.route(acme).open('127.0.0.1', target.port)
  expect(log).toEqual([`127.0.0.1:${target.port} connected`])
})

test('the allow-list of the agent always wins', async () => {
  const other = await new Target().open()
  const { log } = await site.agent([target.entry, 'crm.example.com:443'])
  for (const [host, port] of [
    ['127.0.0.1', other.port],
    ['localhost', target.port],
    ['127.0.0.2', target.port],
    ['::1', target.port],
    ['crm.example.com.', 444],
  ] as const)
    await expect(site.route(plant).open(host, port)).rejects.toMatchObject({ code: 'agent_refused' })
  expect(log).toContain(`127.0.0.1:${other.port} not on the allow-list`)
  // An IPv6 address has brackets in messages, as in a URL.
  await expect(site.route(plant).open('::1', target.port)).rejects.toThrow(`does not have [::1]:${target.port}.`)
  expect(other.sockets).toEqual([])
  await other.close()
})

const lists: readonly (readonly [entries: readonly string[], host: string, port: number, allowed: boolean])[] = [
  [['10.1.0.0/16'], '10.1.2.3', 443, true],
  [['10.1.0.0/16'], '10.2.2.3', 443, false],
  [['10.1.0.0/16:443'], '10.1.2.3', 443, true],
  [['10.1.0.0/16:443'], '10.1.2.3', 22, false],
  [['10.1.0.0/16'], '::ffff:10.1.2.3', 443, true],
  [['fd00:1::/32'], 'fd00:1::7', 443, true],
  [['fd00:1::/32'], 'fd00:2::7', 443, false],
  [['0.0.0.0/0'], '10.1.2.3', 443, true],
  // The agent's own machine, its link and the metadata service of a cloud are in no wide range.
  [['0.0.0.0/0'], '127.0.0.1', 443, false],
  [['0.0.0.0/0'], '169.254.169.254', 80, false],
  [['0.0.0.0/0', '::/0'], '::1', 443, false],
  [['::/0'], 'fe80::1', 443, false],
  [['0.0.0.0/0'], '::ffff:127.0.0.1', 443, false],
  [['::/0'], '::ffff:7f00:1', 443, false],
  [['10.1.0.0/16'], '::ffff:a01:203', 443, true],
  [['::/0'], '64:ff9b::a9fe:a9fe', 80, false],
  [['fd00::/8'], 'fd00:ec2::254', 80, false],
  [['100.64.0.0/10'], '100.100.100.200', 80, false],
  // A wide entry is wide, whatever its first address is.
  [['169.254.0.1/8'], '169.254.169.254', 80, false],
  [['::1/1'], '::1', 443, false],
  [['::ffff:127.0.0.1/128'], '127.0.0.1', 443, true],
  [['fd00:ec2::254/128:80'], 'fd00:ec2::254', 80, true],
  [['127.0.0.1/32'], '127.0.0.1', 443, true],
  [['169.254.169.0/24:80'], '169.254.169.254', 80, true],
]

test.each(lists)('%j: %s port %i is allowed: %s', (entries, host, port, allowed) => {
  expect(createAllowList(entries).allowsAddress(host, port)).toBe(allowed)
})

const here = (): readonly string[] => ['127.0.0.1', '10.1.2.3', 'fd00::7', '::1']

test.each([
  [['10.1.0.0/16'], '10.1.2.3', false],
  [['0.0.0.0/0', '::/0'], '::ffff:10.1.2.3', false],
  [['fd00::/64'], 'FD00:0::7', false],
  [['10.1.2.2/31'], '10.1.2.3', false],
  [['10.1.0.0/16'], '10.1.2.4', true],
  // An entry for the address itself, or inside a range that is closed anyway, is meant.
  [['10.1.2.3/32:443'], '10.1.2.3', true],
  [['fd00::7/128'], 'fd00::7', true],
  [['127.0.0.0/8'], '127.0.0.1', true],
] as const)('of a machine that has 10.1.2.3 and fd00::7, %j allows %s: %s', (entries, host, allowed) => {
  expect(createAllowList(entries, here).allowsAddress(host, 443)).toBe(allowed)
})

test('an agent that cannot read the addresses of its machine takes names, and refuses ranges when it starts', () => {
  const hidden = (): readonly string[] => {
    throw new Error('error 97')
  }
  expect(createAllowList(['crm.example:443'], hidden).allowsName('crm.example', 443)).toBe(true)
  expect(() => createAllowList(['10.0.0.0/8'], hidden)).toThrow(/\(error 97\).*AF_NETLINK/)
})

test.each(['agent/tocsin-agent', 'tocsin'])('the unit %s allows the sockets that these addresses need', (unit) => {
  const text = readFileSync(new URL(`../../deploy/${unit}.service`, import.meta.url), 'utf8')
  expect(/^RestrictAddressFamilies=(.*)$/m.exec(text)?.[1]?.split(' ')).toEqual(
    expect.arrayContaining(['AF_INET', 'AF_INET6', 'AF_UNIX', 'AF_NETLINK']),
  )
})

test('an agent knows the addresses of its machine as they are', () => {
  const addresses = Object.values(networkInterfaces()).flatMap((of) => of?.map(({ address }) => address) ?? [])
  const { allow } = readOptions(['--url', 'https://tocsin.example.com', '--allow', '0.0.0.0/0,::/0'], {})
  expect(addresses).not.toEqual([])
  for (const address of addresses) expect(allow.allowsAddress(address, 443)).toBe(false)
})

// The system's resolver reads numbers in many ways. What it makes of a name is checked as any address.
test.each(['2130706433', '0x7f.1', '0177.0.0.1', '127.1', '0', '127.0.0.1.', 'localhost.', 'LOCALHOST', '::ffff:7f00:1', '::ffff:127.0.0.1'])(
  'a wide range does not let %s through to the machine of the agent',
  async (host) => {
    await site.agent([`0.0.0.0/0:${target.port}`, `::/0:${target.port}`])
    await expect(site.route(plant).open(host, target.port)).rejects.toMatchObject({ code: expect.stringMatching(/^(agent_refused|network)$/) })
    expect(target.sockets).toEqual([])
  },
)

test.each(['10.1.2.3', 'crm.example.com', '10.0.0.0/33', 'crm.example.com:0', 'crm.example.com:65536', 'https://crm.example.com:443', '*:443', ''])(
  'the entry %j is refused',
  (entry) => {
    expect(() => createAllowList([entry])).toThrow(/neither host:port nor a CIDR/)
  },
)
