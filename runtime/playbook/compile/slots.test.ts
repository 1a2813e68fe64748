import { expect, it } from 'vitest'
import { compile, faultsOf, playbook } from './testing.ts'

const step = (more = ''): string => `  - { id: a, skill: mfa.get_user, with: { username: x }${more} }\n`
const messages = (steps: string, above: string): string[] => faultsOf(playbook(steps, above)).map((fault) => fault.replace(/^\S+ /, ''))

it('takes the only slot of the integration, whatever its name', () => {
  const plan = compile(playbook(step(), 'connections: { idp: { integration: mfa }, post: { integration: mail } }\n'))
  expect(plan.steps[0]).toMatchObject({ slot: 'idp' })
  expect(Object.keys(plan.slots)).toEqual(['idp', 'post'])
})

it('takes the slot that the step names', () => {
  const plan = compile(playbook(step(', connection: two'), 'connections: { one: { integration: mfa }, two: { integration: mfa } }\n'))
  expect(plan.steps[0]).toMatchObject({ slot: 'two' })
})

it("adds one required slot with the integration's name if none is declared", () => {
  const plan = compile(playbook(`${step()}  - { id: b, skill: mfa.get_user, with: { username: x } }\n`))
  expect(plan.slots).toEqual({ mfa: { integration: 'mfa', optional: false } })
})

it('lets a condition ask for an implied slot', () => {
  expect(faultsOf(playbook(`${step()}  - { id: b, if: { '!!': [{ var: connections.mfa.bound }] }, stop: { outcome: completed } }\n`))).toEqual([])
})

it('refuses to choose between two', () => {
  expect(messages(step(), 'connections: { one: { integration: mfa }, two: { integration: mfa } }\n')).toEqual([
    'steps.0.skill: several slots are for mfa; choose one with `connection`: one, two',
  ])
})

it('refuses an unknown slot, or one of another integration', () => {
  expect(messages(step(', connection: idpp'), 'connections: { idp: { integration: mfa } }\n')).toEqual([
    'steps.0.connection: there is no slot `idpp`; did you mean `idp`?',
  ])
  expect(messages(step(', connection: post'), 'connections: { post: { integration: mail } }\n')).toEqual([
    'steps.0.connection: the slot `post` is for mail, and the skill belongs to mfa',
  ])
})

it('does not imply a slot if its name is taken', () => {
  expect(messages(step(), 'connections: { mfa: { integration: mail } }\n')).toEqual([
    'steps.0.skill: declare a slot for mfa; the slot `mfa` is for mail',
  ])
})

it('reports a misspelt integration instead of the slot', () => {
  expect(messages('  - { id: a, skill: mfaa.get_user, with: { username: x } }\n', '')).toEqual([
    'steps.0.skill: there is no integration `mfaa`; did you mean `mfa`?',
  ])
})
