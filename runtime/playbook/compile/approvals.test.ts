import { describe, expect, it } from 'vitest'
import type { ApproveStep, SkillStep, WaitStep } from '../plan.ts'
import { codesOf, compile, faultsOf, playbook } from './testing.ts'

const suspend = (id = 'act', user = 'ada'): string => `  - { id: ${id}, skill: mfa.suspend_user, with: { username: '${user}' } }\n`
const ask = (covers: string, id = 'ask'): string => `  - { id: ${id}, approve: { title: 'May it?', covers: ${covers} } }\n`

describe('approve', () => {
  it('has the steps that it covers, and each covered step knows its approval', () => {
    const text = playbook(
      `  - { id: ask, approve: { title: 'Suspend {{ alert.content.user }}?', by: [approver, ada], approvers: 2, expires: 4h, covers: [act] } }\n${suspend()}`,
    )
    const [approve, act] = compile(text).steps as [ApproveStep, SkillStep]
    expect(approve).toMatchObject({ kind: 'approve', by: ['approver', 'ada'], approvers: 2, expires: 14_400_000, covers: ['act'] })
    expect(approve.covered.map(({ id, skill }) => [id, skill])).toEqual([['act', 'suspend_user']])
    expect(act.approvals).toEqual(['ask'])
  })

  it('by default, asks anybody who may answer, without a time limit, and covers nothing', () => {
    const [approve] = compile(playbook("  - { id: ask, approve: { title: 'Go on?' } }\n")).steps
    expect(approve).toMatchObject({ by: [], approvers: 1, expires: null, covers: [], covered: [] })
  })

  it('covers a step in a later branch, in the same iteration, and after it in a loop', () => {
    const branch = `  - { id: b, if: true, then: [{ id: act, skill: mfa.suspend_user, with: { username: ada } }] }\n`
    expect(faultsOf(playbook(ask('act') + branch))).toEqual([])
    const loop = `  - id: each
    foreach: [ada]
    steps:
      - { id: ask, approve: { title: 'May it?', covers: act } }
      - { id: act, skill: mfa.suspend_user, with: { username: '{{ item }}' } }
`
    expect(faultsOf(playbook(loop))).toEqual([])
  })

  it.each([
    ['there is no such step', ask('atc') + suspend(), 'there is no step `atc`; did you mean `act`?'],
    ['it is no call', `${ask('say')}  - { id: say, case: { note: x } }\n`, '`say` is not a skill step; an approval covers calls'],
    ['it reads', `${ask('look')}  - { id: look, skill: mfa.get_user, with: { username: ada } }\n`, '`look` only reads; an approval covers writes'],
    ['it comes before', suspend() + ask('act'), '`act` does not come after its approval'],
    [
      'it is in another branch',
      `  - { id: b, if: true, then: [{ id: ask, approve: { title: x, covers: act } }], else: [{ id: act, skill: mfa.suspend_user, with: { username: ada } }] }\n`,
      '`act` does not come after its approval',
    ],
    [
      'it is in a loop, and the approval is not',
      `${ask('act')}  - { id: each, foreach: [1], steps: [{ id: act, skill: mfa.suspend_user, with: { username: ada } }] }\n`,
      '`act` is not in the same loop as its approval',
    ],
    [
      'it sends what a later step finds',
      `${ask('act')}  - { id: look, skill: mfa.get_user, with: { username: ada } }\n${suspend('act', '{{ steps.look.output.name }}')}`,
      '`act` sends steps.look, which is not known when the approval is requested',
    ],
    [
      'it sends what is set later',
      `  - { id: a, set: { name: ada } }\n${ask('act')}  - { id: b, set: { name: eve } }\n${suspend('act', '{{ vars.name }}')}`,
      '`act` sends vars.name, which is not known when the approval is requested',
    ],
  ])('cannot cover a step when %s', (_why, steps, message) => {
    expect(faultsOf(playbook(steps)).map((fault) => fault.replace(/^\S+ \S+ /, ''))).toEqual([message])
  })

  it('may cover a call whose input was known before', () => {
    const steps = `  - { id: look, skill: mfa.get_user, with: { username: ada } }\n  - { id: a, set: { name: ada } }\n${ask('act')}`
    expect(faultsOf(playbook(`${steps}${suspend('act', '{{ vars.name }} {{ steps.look.output.name }}')}`))).toEqual([])
  })

  it('is wrong without a title, with an unknown key, or with impossible numbers', () => {
    expect(codesOf(playbook('  - { id: ask, approve: {} }\n'))).toHaveLength(1)
    expect(faultsOf(playbook('  - { id: ask, approve: { title: x, expire: 4h } }\n'))[0]).toContain('did you mean `expires`?')
    expect(codesOf(playbook('  - { id: ask, approve: { title: x, approvers: 0 } }\n'))).toHaveLength(1)
    expect(faultsOf(playbook('  - { id: ask, approve: { title: x, expires: soon } }\n'))[0]).toContain('must be a duration')
  })
})

describe('wait', () => {
  const wait = (what: string): WaitStep['wait'] => (compile(playbook(`  - { id: a, wait: ${what} }\n`)).steps[0] as WaitStep).wait

  it('waits for a duration, until a time, or for a poll', () => {
    expect(wait('{ for: 10m }')).toEqual({ kind: 'for', duration: 600_000 })
    expect(wait("{ until: '2030-01-01' }")).toMatchObject({ kind: 'until' })
    expect(wait("{ until: '{{ alert.content.when }}' }")).toMatchObject({ kind: 'until' })
    const poll = wait(
      "{ poll: { skill: mfa.get_user, with: { username: ada } }, every: 1m, until: { '==': [{ var: output.state }, gone] }, at_most: 1h }",
    )
    expect(poll).toMatchObject({ kind: 'poll', every: 60_000, atMost: 3_600_000, poll: { kind: 'skill', id: 'a', skill: 'get_user', slot: 'mfa' } })
  })

  it.each([
    ['{ for: ten }', 'must be a duration'],
    ['{}', '`for` is missing'],
    ['{ until: tomorrow }', 'must be epoch milliseconds or an ISO 8601 time'],
    ['{ for: 1m, until: 5 }', '`for` is not a key here'],
    ['{ poll: { skill: mfa.get_user, with: { username: ada } }, every: 1m, at_most: 1h }', '`until`'],
    ['{ poll: { skill: mfa.get_usr }, every: 1m, until: true, at_most: 1h }', 'mfa has no skill `get_usr`; did you mean `get_user`?'],
    ['{ poll: { skill: mfa.get_user, with: { username: a } }, every: 100ms, until: true, at_most: 1m }', 'at most once a second'],
    ['{ poll: { skill: mfa.get_user, with: { username: a } }, every: 1s, until: true, at_most: 1d }', 'this poll asks up to 86401 times'],
    ['{ poll: { skill: mfa.suspend_user, with: { username: a } }, every: 1m, until: true, at_most: 1h }', 'a poll must call a skill that only reads'],
  ])('%s is wrong', (what, message) => {
    const faults = faultsOf(playbook(`  - { id: a, wait: ${what} }\n`))
    expect(faults).toHaveLength(1)
    expect(faults[0]).toContain(message)
  })

  it('lets only the poll read its answer as output', () => {
    const poll = (rule: string): string =>
      `  - { id: a, wait: { poll: { skill: mfa.get_user, with: { username: ada } }, every: 1m, until: ${rule}, at_most: 1h } }\n`
    expect(faultsOf(playbook(poll('{ "!!": [{ var: [output.x, null] }] }')))).toEqual([])
    expect(faultsOf(playbook(poll('{ "!!": [{ var: outptu.x }] }')))[0]).toContain('did you mean `output`?')
    expect(faultsOf(playbook('  - { id: a, case: { note: "{{ output.x }}" } }\n'))[0]).toContain('there is no `output` here')
  })
})
