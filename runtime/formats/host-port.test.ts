import { expect, test } from 'vitest'
import { hostPort } from './index.ts'

test.each([
  ['crm.plant.example', 443, 'crm.plant.example:443'],
  ['192.0.2.1', 8080, '192.0.2.1:8080'],
  ['2001:db8::1', 443, '[2001:db8::1]:443'],
  ['::', 0, '[::]:0'],
  ['[::1]', 443, '[::1]:443'],
])('%s and %i are %s', (host, port, text) => {
  expect(hostPort(host, port)).toBe(text)
})
