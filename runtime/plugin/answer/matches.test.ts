import { expect, test } from 'vitest'
import type { Json } from '../../domain/index.ts'
import type { SkillDocument } from '../grammar/index.ts'
import { FaultPlaces } from '../manifest/fault-places.ts'
import { compileMatches } from './matches.ts'

const nowhere = { locate: () => ({ file: 'x', line: 1, column: 1 }), locateInside: () => ({ file: 'x', line: 1, column: 1 }) }
const input = { type: 'object', properties: { ids: { type: 'array' }, email: { type: 'string' } } }
const account = { type: 'object', properties: { id: {}, email: {} } }
const output = { type: 'object', properties: { accounts: { type: 'array', items: account }, account } }

function check(...matches: NonNullable<SkillDocument['matches']>) {
  const places = new FaultPlaces(nowhere, [])
  const mismatch = compileMatches({ id: 'list', input, output, matches } as unknown as SkillDocument, places)
  return { mismatch, faults: places.found.map(({ message }) => message) }
}

const byId = { output: 'accounts.*.id', input: 'ids' }
const listed = (...ids: readonly Json[]): Json => ({ accounts: ids.map((id) => ({ id })) })

test('an output that was asked for passes', () => {
  const { mismatch } = check(byId)
  expect(mismatch({ ids: ['a', 'b'] }, listed('a'))).toBeNull()
  expect(mismatch({ ids: ['a', 'b'] }, listed())).toBeNull()
  expect(mismatch({ ids: ['7'] }, listed(7))).toBeNull()
})

test('a filter that the system ignored is detected, and the unexpected value is named', () => {
  const { mismatch } = check(byId)
  expect(mismatch({ ids: ['a'] }, listed('a', 'z'))).toBe('accounts.1.id is "z", and ids asked for "a".')
})

test('without a filter, everything passes', () => {
  const { mismatch } = check(byId, { output: 'accounts.*.email', input: 'email' })
  expect(mismatch({}, listed('z'))).toBeNull()
  expect(mismatch({ ids: null, email: null }, listed('z'))).toBeNull()
  expect(mismatch({ ids: [] }, listed('z'))).toBeNull()
})

test('a record without the field passes', () => {
  const { mismatch } = check(byId)
  expect(mismatch({ ids: ['a'] }, { accounts: [{}, { id: null }, { id: '' }, { id: { odd: true } }, 'text', null] })).toBeNull()
  expect(mismatch({ ids: ['a'] }, { accounts: 'none' })).toBeNull()
})

test('the requested value may be in a list of objects', () => {
  const things = { type: 'object', properties: { things: { type: 'array', items: { type: 'object', properties: { id: {} } } } } }
  const places = new FaultPlaces(nowhere, [])
  const matches = [{ output: 'accounts.*.id', input: 'things.*.id' }]
  const mismatch = compileMatches({ id: 'list', input: things, output, matches } as unknown as SkillDocument, places)
  expect(places.found).toEqual([])
  expect(mismatch({ things: [{ id: 'a' }, { id: 'b' }] }, listed('b'))).toBeNull()
  expect(mismatch({ things: [{ id: 'a' }] }, listed('b'))).toContain('accounts.0.id is "b"')
})

test('a boolean may be a word, or 0 and 1, and an unreadable one passes', () => {
  const { mismatch } = check({ output: 'account.id', input: 'ids' })
  const of = (asked: boolean, id: Json): string | null => mismatch({ ids: asked }, { account: { id } })
  for (const id of [false, 0, '0', 'false', 'No', 'off', 'sometimes', '', 2]) expect(of(false, id)).toBeNull()
  for (const id of [true, 1, '1', 'TRUE', 'yes', 'on']) expect(of(false, id)).toContain('account.id is')
  expect(of(true, 0)).toBe('account.id is 0, and ids asked for true.')
})

test('addresses may be compared ignoring case', () => {
  const email = { output: 'account.email', input: 'email' }
  const output = { account: { email: 'ADA@Acme.example' } }
  expect(check({ ...email, ignore_case: true }).mismatch({ email: 'ada@acme.example' }, output)).toBeNull()
  expect(check(email).mismatch({ email: 'ada@acme.example' }, output)).toContain('account.email is')
})

test('a part of the value may have been requested', () => {
  const { mismatch } = check({ output: 'accounts.*.email', input: 'email', as: 'contains', ignore_case: true })
  const output = { accounts: [{ email: 'Ada@Acme.example' }] }
  expect(mismatch({ email: 'acme' }, output)).toBeNull()
  expect(mismatch({ email: 'other' }, output)).toContain('accounts.0.email is')
})

test('a time may have been requested', () => {
  const { mismatch } = check({ output: 'account.id', input: 'email', as: 'from' }, { output: 'account.email', input: 'ids', as: 'until' })
  const asked = { email: '2026-01-01T00:00:00Z', ids: 1_767_312_000 }
  expect(mismatch(asked, { account: { id: '2026-01-01T00:00:00.000+0000', email: 1_767_312_000_000 } })).toBeNull()
  expect(mismatch(asked, { account: { id: 'long ago', email: null } })).toBeNull()
  expect(mismatch(asked, { account: { id: '2025-12-31T23:59:00Z' } })).toContain('account.id is "2025-12-31T23:59:00Z"')
  expect(mismatch(asked, { account: { email: '2026-01-02T00:01:00Z' } })).toContain('account.email is')
})

test('the value may be elsewhere in the record', () => {
  const { mismatch } = check({ output: 'accounts.*.email', input: 'email', ignore_case: true, anywhere: true })
  const named = { accounts: [{ email: 'first@acme.example', aliases: [{ address: 'ADA@acme.example' }] }] }
  expect(mismatch({ email: 'ada@acme.example' }, named)).toBeNull()
  expect(mismatch({ email: 'ada@acme.example' }, { accounts: [...named.accounts, { email: 'bob@acme.example' }] })).toContain('accounts.1.email')
})

test('a path that leads nowhere is reported when the plugin is loaded', () => {
  expect(check({ output: 'accounts.*.idd', input: 'ids' }, { output: 'accounts.*.id', input: 'idz' }).faults).toEqual([
    'there is no member of the output `idd`; did you mean `id`?',
    'there is no member of the input `idz`; did you mean `ids`?',
  ])
})
