import { expect, test } from 'vitest'
import { createPolicy } from './policy.ts'

const policy = createPolicy([])

test.each([
  ...['0.0.0.0', '0.1.2.3', '10.1.2.3', '100.64.0.1', '127.0.0.1', '127.255.255.254', '169.254.169.254', '172.16.0.1', '172.31.255.255'],
  ...['192.0.0.1', '192.0.0.170', '192.0.2.1', '192.88.99.1', '192.168.1.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1'],
  ...['240.0.0.1', '255.255.255.255'],
  ...['::', '::1', '::127.0.0.1', '::7f00:1', '::10.0.0.1', '::8.8.8.8', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1'],
  ...['::ffff:0:127.0.0.1', '64:ff9b::127.0.0.1', '64:ff9b::8.8.8.8', '64:ff9b:1::1', '100::1', '2001::1', '2001:0:7f00:1::', '2001:2::1'],
  ...['2001:10::1', '2001:20::1', '2001:db8::1', '2002:7f00:1::', '2002:0a00:0001::1', '3fff::1', '5f00::1', 'fc00::1', 'fd12:3456::1'],
  ...['fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1', '4000::1', 'e000::1'],
])('%s is not a public address', (address) => {
  expect(policy.allowsAddress(address)).toBe(false)
  const literal = address.split('%')[0] ?? ''
  expect(policy.refusesLiteral(literal, 443)).toBe(true)
})

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.1',
  '100.63.255.255',
  '100.128.0.1',
  '172.15.0.1',
  '172.32.0.1',
  '192.0.1.1',
  '223.255.255.255',
  '2606:4700::1111',
  '2a00:1450::1',
  '2001:4860:4860::8888',
  '2001:200::1',
  '::ffff:8.8.8.8',
])('%s may be called', (address) => {
  expect(policy.allowsAddress(address)).toBe(true)
})

test('an address in the allow list is allowed, in any notation', () => {
  const named = createPolicy(['10.0.0.0/8', '::1'])
  for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '::1']) expect(named.allowsAddress(address)).toBe(true)
  for (const address of ['::10.1.2.3', '64:ff9b::10.1.2.3', '2002:0a01:0203::', '127.0.0.1']) expect(named.allowsAddress(address)).toBe(false)
})
