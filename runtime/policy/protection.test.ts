import { expect, test } from 'vitest'
import type { ProtectedRule } from '../domain/index.ts'
import { protectionOf } from './protection.ts'

const rule = (parts: Partial<ProtectedRule>): ProtectedRule => ({ names: [], pattern: null, skills: null, reason: 'Break glass', ...parts })
const found = (parts: Partial<ProtectedRule>, ...targets: string[]) => protectionOf({ protected: [rule(parts)] }, 'mfa.suspend', targets)

test.each([
  ['root', 'root'],
  ['root', ' ROOT '],
  [' Root', 'root'],
  ['ada@acme.example', 'Ada@ACME.example'],
  // Full-width letters and a combined accent: other spellings of the same text.
  ['root', '\uff52\uff4f\uff4f\uff54'],
  ['jos\u00e9', 'jose\u0301'],
])('%j protects %j', (name, target) => {
  expect(found({ names: ['other', name] }, target)).toEqual({ target, reason: 'Break glass' })
})

test.each(['roots', 'my root', 'r', ''])('a name must be the whole target: %j does not match', (target) => {
  expect(found({ names: ['root'] }, target)).toBeNull()
})

test('a pattern matches anywhere, ignoring case, width and outer space', () => {
  for (const target of ['vip-1', ' VIP-2', '\uff36ip-3']) expect(found({ pattern: '^vip-' }, target)).toEqual({ target, reason: 'Break glass' })
  expect(found({ pattern: '@BOARD\\.example$' }, 'ada@board.example')).not.toBeNull()
  expect(found({ pattern: '^vip-' }, 'no-vip-1')).toBeNull()
})

test('a target that is too expensive to check counts as protected', () => {
  expect(found({ pattern: '(?:a?){200}a{200}$' }, 'a'.repeat(500_000))).toEqual({ target: expect.any(String), reason: 'Break glass' })
})

test('the result names which of several targets is protected', () => {
  expect(found({ names: ['root'] }, 'ada', 'Root', 'bob')).toEqual({ target: 'Root', reason: 'Break glass' })
  expect(found({ names: ['root'] })).toBeNull()
})

test('a rule with skills protects only from those skills', () => {
  expect(found({ names: ['root'], skills: ['mfa.unpair', 'mfa.suspend'] }, 'root')).not.toBeNull()
  expect(found({ names: ['root'], skills: ['mfa.unpair'] }, 'root')).toBeNull()
})

test('the reason comes from the first rule that matches', () => {
  const rules = [rule({ names: ['eve'] }), rule({ names: ['root'], reason: 'First' }), rule({ pattern: 'root', reason: 'Second' })]
  expect(protectionOf({ protected: rules }, 'mfa.suspend', ['root'])?.reason).toBe('First')
})
