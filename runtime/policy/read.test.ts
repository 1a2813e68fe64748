import { expect, test } from 'vitest'
import { defaultPolicy, policyAsks } from '../domain/index.ts'
import { isTocsinError } from '../errors/index.ts'
import { readPolicy } from './read.ts'

const skills = new Map([
  ['mfa.suspend_user', 'write'],
  ['mfa.bypass_user', 'high'],
  ['mfa.get_user', 'read'],
] as const)

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

test('what is left out is as in the default: high-impact calls are asked about, and nothing is limited', () => {
  expect(readPolicy('format: 1', 'p.yaml', skills)).toEqual(defaultPolicy)
  expect(policyAsks(defaultPolicy, 'mfa.bypass_user', 'high')).toBe(true)
  expect(policyAsks(defaultPolicy, 'mfa.suspend_user', 'write')).toBe(false)
})

test('everything can be said', () => {
  const text = `format: 1
approvals:
  high: none
  skills: { mfa.suspend_user: ask }
  by: [ada, bob]
  approvers: 2
  expires: 90m
limits: { impact: { high: 2, write: null } }
`
  const policy = readPolicy(text, 'p.yaml', skills)
  expect(policy).toEqual({
    approvals: { high: 'none', skills: { 'mfa.suspend_user': 'ask' }, by: ['ada', 'bob'], approvers: 2, expires: 5_400_000 },
    limits: { impact: { high: 2, write: null, targets: null } },
  })
  expect(policyAsks(policy, 'mfa.bypass_user', 'high')).toBe(false)
  expect(policyAsks(policy, 'mfa.suspend_user', 'write')).toBe(true)
  expect(policyAsks(policy, 'mfa.suspend_user', 'read')).toBe(false)
  expect(policyAsks(policy, 'toString', 'write')).toBe(false)
})

test('a mistake is told with its place', () => {
  expect(refused('format: 1\napprovals:\n  hihg: none\n')[0]).toMatch(/^3:3 approvals\.hihg: .*high/)
  expect(refused('format: 1\napprovals: { high: yes }\n')[0]).toMatch(/^2:20 approvals\.high: /)
  expect(refused('format: 1\nlimits: { impact: { high: -1 } }\n')[0]).toMatch(/^2:27 limits\.impact\.high: /)
  expect(refused('format: 1\napprovals: { expires: soon }\n')).toEqual([expect.stringMatching(/^2:23 approvals\.expires: must be a duration/)])
})

test('a skill that is not there, or only reads, is told with its place, and the near one is named', () => {
  expect(refused('format: 1\napprovals:\n  skills:\n    mfa.suspend_usr: ask\n    mfa.get_user: ask\n')).toEqual([
    expect.stringMatching(/^4:5 approvals\.skills\.mfa\.suspend_usr: no loaded plugin has the skill .*mfa\.suspend_user/),
    expect.stringMatching(/^5:5 approvals\.skills\.mfa\.get_user: .*reads are not asked about/),
  ])
})

test('more approvers than are named could never be there', () => {
  expect(refused('format: 1\napprovals: { by: [ada, ada], approvers: 2 }')).toEqual([
    expect.stringContaining('approvals.approvers: 2 must approve, and `by` names 1'),
  ])
  for (const who of ['approver', 'decisions:answer', 'admin'])
    expect(readPolicy(`format: 1\napprovals: { by: [ada, ${who}], approvers: 3 }`, 'p.yaml', skills).approvals.approvers).toBe(3)
})
