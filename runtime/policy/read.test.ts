import { expect, test } from 'vitest'
import { defaultPolicy, defaultServiceLevels, policyAsks, spanOf } from '../domain/index.ts'
import { isTocsinError } from '../errors/index.ts'
import { type KnownSkills, readPolicy } from './read.ts'

const skills: KnownSkills = new Map([
  ['mfa.suspend_user', { impact: 'write', targeted: true, ends: false }],
  ['mfa.bypass_user', { impact: 'high', targeted: true, ends: true }],
  ['mfa.lock_all', { impact: 'high', targeted: false, ends: false }],
  ['mfa.get_user', { impact: 'read', targeted: true, ends: false }],
])

function refused(text: string): string[] {
  try {
    readPolicy(text, 'p.yaml', skills)
  } catch (error) {
    if (!isTocsinError(error)) throw error
    expect(error.code).toBe('policy_invalid')
    return error.places.map(({ line, column, field, message }) => `${line}:${column} ${field}: ${message}`)
  }
  throw new Error('it was read')
}

test('missing parts come from the default: people are asked about high-impact calls, and nothing is limited', () => {
  expect(readPolicy('format: 1', 'p.yaml', skills)).toEqual({ policy: defaultPolicy, doubtful: [] })
  expect(policyAsks(defaultPolicy, 'mfa.bypass_user', 'high')).toBe(true)
  expect(policyAsks(defaultPolicy, 'mfa.suspend_user', 'write')).toBe(false)
})

test('a span can be set for each skill that sets something until a time', () => {
  const { limits } = readPolicy('format: 1\nlimits: { spans: { mfa.bypass_user: 4h } }', 'p.yaml', skills).policy
  expect([spanOf({ limits }, 'mfa.bypass_user'), spanOf({ limits }, 'mfa.lock_all')]).toEqual([14_400_000, undefined])
  expect(spanOf(readPolicy('format: 1\nlimits: { spans: { mfa.bypass_user: null } }', 'p.yaml', skills).policy, 'mfa.bypass_user')).toBeNull()
  expect(refused('format: 1\nlimits:\n  spans: { mfa.lock_all: 1h }')).toEqual([
    '3:12 limits.spans.mfa.lock_all: mfa.lock_all sets nothing until a time',
  ])
  expect(refused('format: 1\nlimits:\n  spans: { mfa.get_user: 1h }')[0]).toMatch(/mfa\.get_user only reads, and reads set nothing/)
  expect(refused('format: 1\nlimits:\n  spans: { mfa.none: 1h }')[0]).toMatch(/no loaded plugin has the skill/)
  expect(refused('format: 1\nlimits:\n  spans: { mfa.bypass_user: soon }')[0]).toMatch(/must be a duration/)
})

test('a policy can set everything', () => {
  const text = `format: 1
approvals:
  high: none
  skills: { mfa.suspend_user: ask }
  by: [ada, bob]
  approvers: 2
  expires: 90m
limits:
  impact: { high: 2, write: null }
  spans: { mfa.bypass_user: 12h }
  quotas: { high: null, write: { calls: 100, per: 1d }, skills: { mfa.suspend_user: { calls: 5, per: 10m }, mfa.bypass_user: null } }
protected:
  - { names: [Root, break-glass@acme.example], match: ' 4711', reason: Break glass }
  - { match: '/^vip-/', skills: [mfa.suspend_user], reason: VIPs }
service_levels:
  high: { respond: 10m, close: null }
  low: { respond: null }
`
  const { policy } = readPolicy(text, 'p.yaml', skills)
  expect(policy).toEqual({
    approvals: { high: 'none', skills: { 'mfa.suspend_user': 'ask' }, by: ['ada', 'bob'], approvers: 2, expires: 5_400_000 },
    limits: {
      impact: { high: 2, write: null, targets: null },
      spans: { 'mfa.bypass_user': 43_200_000 },
      quotas: {
        high: null,
        write: { calls: 100, per: 86_400_000 },
        skills: { 'mfa.suspend_user': { calls: 5, per: 600_000 }, 'mfa.bypass_user': null },
      },
    },
    protected: [
      { names: ['Root', 'break-glass@acme.example', ' 4711'], pattern: null, skills: null, reason: 'Break glass' },
      { names: [], pattern: '^vip-', skills: ['mfa.suspend_user'], reason: 'VIPs' },
    ],
    serviceLevels: {
      ...defaultServiceLevels,
      high: { respond: 600_000, close: null },
      low: { respond: null, close: defaultServiceLevels.low.close },
    },
  })
  expect(policyAsks(policy, 'mfa.bypass_user', 'high')).toBe(false)
  expect(policyAsks(policy, 'mfa.suspend_user', 'write')).toBe(true)
  expect(policyAsks(policy, 'mfa.suspend_user', 'read')).toBe(false)
  expect(policyAsks(policy, 'toString', 'write')).toBe(false)
})

test('a mistake is reported with its place', () => {
  expect(refused('format: 1\napprovals:\n  hihg: none\n')[0]).toMatch(/^3:3 approvals\.hihg: .*high/)
  expect(refused('format: 1\napprovals: { high: yes }\n')[0]).toMatch(/^2:20 approvals\.high: /)
  expect(refused('format: 1\nlimits: { impact: { high: -1 } }\n')[0]).toMatch(/^2:27 limits\.impact\.high: /)
  expect(refused('format: 1\napprovals: { expires: soon }\n')).toEqual([expect.stringMatching(/^2:23 approvals\.expires: must be a duration/)])
})

test('a skill that is missing or only reads is reported with its place, and a similar name is suggested', () => {
  expect(refused('format: 1\napprovals:\n  skills:\n    mfa.suspend_usr: ask\n    mfa.get_user: ask\n')).toEqual([
    expect.stringMatching(/^4:5 approvals\.skills\.mfa\.suspend_usr: no loaded plugin has the skill .*mfa\.suspend_user/),
    expect.stringMatching(/^5:5 approvals\.skills\.mfa\.get_user: .*reads are not asked about/),
  ])
})

test('quotas: missing parts come from the default, and a mistake is reported with its place', () => {
  const standing = { high: { calls: 20, per: 3_600_000 }, write: null, skills: {} }
  expect(readPolicy('format: 1\nlimits: { quotas: {} }', 'p.yaml', skills).policy.limits.quotas).toEqual(standing)
  const skill = (text: string): string[] => refused(`format: 1\nlimits:\n  quotas:\n    skills:\n      ${text}\n`)
  expect(skill('mfa.suspend_usr: { calls: 1, per: 1h }')).toEqual([expect.stringMatching(/^5:7 .*no loaded plugin .*mfa\.suspend_user/)])
  expect(skill('mfa.get_user: null')).toEqual([expect.stringMatching(/^5:7 .*reads have no quota/)])
  expect(skill('mfa.bypass_user: { calls: 1 }')).toEqual([expect.stringMatching(/^5:24 .*per/)])
  expect(skill('mfa.bypass_user: { calls: 1, per: 8d }')).toEqual([
    expect.stringMatching(/^5:41 limits\.quotas\.skills\.mfa\.bypass_user\.per: must be 1s to 7d/),
  ])
  expect(skill('mfa.bypass_user: { calls: 1, per: 10ms }')).toEqual([expect.stringMatching(/^5:41 .*must be 1s to 7d/)])
  expect(skill('mfa.bypass_user: { calls: 10001, per: 1h }')).toEqual([expect.stringMatching(/^5:33 .*10000/)])
  expect(skill('mfa.bypass_user: 20')).toHaveLength(1)
})

test('protected entities: a mistake is reported with its place', () => {
  const rule = (text: string): string[] => refused(`format: 1\nprotected:\n  - ${text}\n`)
  expect(rule('{ reason: x }')).toEqual([expect.stringMatching(/^3:5 protected\.0: needs `names` or `match`/)])
  expect(rule('{ names: [root] }')).toEqual([expect.stringMatching(/^3:5 .*reason/)])
  expect(rule('{ names: [], reason: x }')).toHaveLength(1)
  expect(rule("{ match: '/(/', reason: x }")).toEqual([expect.stringMatching(/^3:14 protected\.0\.match: is not a valid pattern: /)])
  expect(rule('{ match: root, skills: [mfa.get_user, mfa.lock_all, mfa.lock], reason: x }')).toEqual([
    expect.stringMatching(/^3:29 .*reads need no protection/),
    expect.stringMatching(/^3:43 .*mfa\.lock_all does not say what it acts on/),
    expect.stringMatching(/^3:57 .*no loaded plugin has/),
  ])
})

test('a policy cannot need more approvers than it names', () => {
  expect(refused('format: 1\napprovals: { by: [ada, ada], approvers: 2 }')).toEqual([
    expect.stringContaining('approvals.approvers: 2 must approve, and `by` names 1'),
  ])
  for (const who of ['approver', 'decisions:answer', 'admin'])
    expect(readPolicy(`format: 1\napprovals: { by: [ada, ${who}], approvers: 3 }`, 'p.yaml', skills).policy.approvals.approvers).toBe(3)
})
