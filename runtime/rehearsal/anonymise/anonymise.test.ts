import { describe, expect, it, test } from 'vitest'
import type { Json } from '../../domain/index.ts'
import { findPersonal, replacer, Substitutes } from './index.ts'

/** Returns the values with substitutes for the personal data in any of them. */
function anonymised<T extends readonly Json[]>(values: T, keep = ''): T {
  const substitutes = new Substitutes((text) => keep.includes(text))
  for (const value of values) findPersonal(value, substitutes)
  const replace = replacer(substitutes.made)
  return values.map(replace) as unknown as T
}

test('uses the same substitute everywhere, in texts and in names of members too', () => {
  const [alert, answer] = anonymised([
    { user: { email: 'ada@acme.com', name: 'Ada Lovelace' }, text: 'ada@acme.com signed in from acme.com' },
    { owner: 'Ada Lovelace', note: 'Ask ADA@ACME.COM', by: { 'ada@acme.com': 3 } },
  ])
  expect(alert).toEqual({
    user: { email: 'person1@host1.example', name: 'Person 1' },
    text: 'person1@host1.example signed in from host1.example',
  })
  expect(answer).toEqual({ owner: 'Person 1', note: 'Ask PERSON1@HOST1.EXAMPLE', by: { 'person1@host1.example': 3 } })
})

describe('a substitute has the format of its original', () => {
  it.each<[string, Json, RegExp]>([
    ['a public address', '81.2.69.142', /^"203\.0\.113\.\d+"$/],
    ['a private address', '10.9.4.7', /^"10\.0\.0\.\d+"$/],
    ['an address in 192.168.0.0/16', '192.168.4.7', /^"192\.168\.0\.\d+"$/],
    ['an address in 172.16.0.0/12', '172.20.4.7', /^"172\.16\.0\.\d+"$/],
    ['a link-local address', '169.254.4.7', /^"169\.254\.0\.\d+"$/],
    ['a shared address of a carrier', '100.99.4.7', /^"100\.64\.0\.\d+"$/],
    ['an address of version 6', '2a00:1450:4001:82b::200e', /^"2001:db8::\w+"$/],
    ['a URL', 'https://login.acme-corp.com/a?b=1', /^"https:\/\/host\d+\.example\/a\?b=1"$/],
    ['a UUID', '0b2f4a9c-1111-4222-8333-444455556666', /^"00000000-0000-4000-8000-\d{12}"$/],
    ['a phone number', '+1 (415) 555-2671', /^"\+\d \(\d{3}\) \d{3}-\d{4}"$/],
    ['a token', { api_token: 'tok-9aB8cD7e' }, /^\{"api_token":"[A-Z][a-z]{2}-\d[a-z]{2}\d[a-z]{2}\d[a-z]"\}$/],
    ['a hash', { h: 'd41d8cd98f00b204e9800998ecf8427e' }, /^\{"h":"[0-9a-f]{32}"\}$/],
    ['an id', { deviceId: '6449812345' }, /^\{"deviceId":"\d{10}"\}$/],
    ['a number that is an id', { account_id: 123456789 }, /^\{"account_id":\d{9}\}$/],
    ['a host', { hostname: 'LAPTOP-ADA7' }, /^\{"hostname":"HOST\d+\.EXAMPLE"\}$/],
  ])('%s', (_, value, format) => {
    const [replaced] = anonymised([value])
    expect(replaced).not.toEqual(value)
    expect(JSON.stringify(replaced)).toMatch(format)
  })
})

test.each<[string, Json]>([
  ['words', 'The user was suspended after 7 denied pushes'],
  ['times', { at: '2026-01-01T00:00:00.000Z', ms: 1_760_000_000_000 }],
  ['versions and small numbers', { version: '10.2.3', count: 12, port: 8_080 }],
  ['states', { status: 'ACTIVE', type: 'analyst_pending' }],
  ['short ids', { id: '17' }],
])('%s stay', (_, value) => {
  expect(anonymised([value])).toEqual([value])
})

test('keeps what the playbook itself names, and values of an enumeration', () => {
  expect(anonymised(['mail of security@acme.com'], 'if from security@acme.com')).toEqual(['mail of security@acme.com'])
  const substitutes = new Substitutes(() => false)
  findPersonal({ display_name: 'Administrators' }, substitutes, { properties: { display_name: { enum: ['Administrators'] } } })
  expect(substitutes.made.size).toBe(0)
})
