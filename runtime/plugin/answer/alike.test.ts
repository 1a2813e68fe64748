import { expect, test } from 'vitest'
import { alike, momentIn } from './alike.ts'

test.each([
  ['Ada@Acme.example', 'ada@acme.example'],
  ['JOSÉ@ACME.example', 'jose\u0301@acme.example'],
  ['ada@münchen.example', 'ada@xn--mnchen-3ya.example'],
  ['MÜNCHEN.example', 'xn--mnchen-3ya.example'],
  ['2001:DB8::1', '2001:db8:0:0:0:0:0:1'],
  ['2001:DB8::/32', '2001:db8:0::/32'],
  [' a+b@acme.example', 'a+b@acme.example'],
])('%s is like %s', (one, other) => {
  expect(alike(one)).toBe(alike(other))
})

test.each([
  ['ada@acme.example', 'ada@acme.example.evil'],
  ['a+b@acme.example', 'a@acme.example'],
  ['192.0.2.1', '192.0.2.10'],
  ['2001:db8::1', '2001:db8::2'],
  ['2001:db8::/32', '2001:db8::/33'],
])('%s is not like %s', (one, other) => {
  expect(alike(one)).not.toBe(alike(other))
})

test.each<[unknown, number | null]>([
  ['2026-01-01T00:00:00Z', Date.UTC(2026, 0, 1)],
  ['2026-01-01T01:00:00.000+0100', Date.UTC(2026, 0, 1)],
  ['2026-01-01 00:00:00Z', Date.UTC(2026, 0, 1)],
  ['2026-01-01T00:00:00', null],
  ['2026-13-01T00:00:00Z', null],
  ['yesterday', null],
  [1_767_225_600, Date.UTC(2026, 0, 1)],
  [1_767_225_600_000, Date.UTC(2026, 0, 1)],
  [null, null],
])('the moment of %j', (value, moment) => {
  expect(momentIn(value)).toBe(moment)
})
