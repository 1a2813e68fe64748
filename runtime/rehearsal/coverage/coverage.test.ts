import { expect, test } from 'vitest'
import { compilePlaybook } from '../../playbook/index.ts'
import { answersOf, failing, output, playbookOf, rehearsed, world } from '../testing.ts'
import { Coverage } from './coverage.ts'

const steps = `- id: look
  if: { '!=': [{ var: inputs.user }, ''] }
  skill: mfa.get_mfa_user_details
  with: { username: '{{ inputs.user }}' }
  on_error:
    - id: gone
      case: { note: Gone }
- id: each
  foreach: '{{ steps.look.output.devices | default: nil | compact }}'
  max_items: 5
  steps:
    - id: named
      if: { '==': [{ var: [item.nickname, ''] }, a] }
      then:
        - id: note
          case: { note: Named }
`
const details = (devices: readonly { readonly nickname: string }[]) =>
  output({ userName: 'ada', status: null, bypass: 'disabled', devices, errorId: 200 })

test('counts every way at a guard, an if, a loop and an on_error, and knows which were taken', async () => {
  const coverage = new Coverage(compilePlaybook(playbookOf(steps), 'tested.yaml', (await world).lookup))
  const ways = (): string[] => coverage.missed.map(({ step, at, way }) => `${at.line} ${step}: ${way}`)
  expect(ways()).toEqual([
    '7 look: if holds',
    '7 look: if does not hold',
    '7 look: on_error',
    '14 each: no item',
    '14 each: an item',
    '18 named: then',
    '18 named: else',
  ])
  expect(coverage.percent).toBe(0)
  coverage.add((await rehearsed(steps, answersOf({ 'mfa.get_mfa_user_details': details([{ nickname: 'a' }]) }))).trace)
  expect(ways()).toEqual(['7 look: if does not hold', '7 look: on_error', '14 each: no item', '18 named: else'])
  coverage.add((await rehearsed(steps, answersOf({ 'mfa.get_mfa_user_details': failing('user_not_found') }))).trace)
  coverage.add((await rehearsed(steps, answersOf({ 'mfa.get_mfa_user_details': details([{ nickname: 'b' }]) }))).trace)
  expect(ways()).toEqual(['7 look: if does not hold'])
  expect(Math.round(coverage.percent)).toBe(86)
  coverage.add((await rehearsed(steps, answersOf({}), { alert: { content: '{"user":"x"}' } })).trace)
  const empty = new Coverage(compilePlaybook(playbookOf('- id: a\n  set: { b: 1 }'), 'tested.yaml', (await world).lookup))
  expect(empty.percent).toBe(100)
})

test('counts the cases of a switch and the branches of a parallel', async () => {
  const both = `- id: look
  parallel:
    branches:
      one:
        - id: first
          set: { a: 1 }
      two:
        - id: second
          set: { b: 2 }
- id: choose
  switch:
    - when: { '==': [{ var: vars.a }, 1] }
      steps:
        - id: a_case
          case: { note: One }
    - when: { '==': [{ var: vars.b }, 3] }
      steps:
        - id: b_case
          case: { note: Three }
`
  const lookup = (await world).lookup
  const coverage = new Coverage(compilePlaybook(playbookOf(both), 'tested.yaml', lookup))
  expect(coverage.branches.map(({ step, way }) => `${step}: ${way}`)).toEqual([
    'look: branch one',
    'look: branch two',
    'choose: case 0',
    'choose: case 1',
    'choose: no case',
  ])
  const run = await rehearsed(both, answersOf({}))
  expect(run).toMatchObject({ outcome: 'completed', vars: { a: 1, b: 2 } })
  coverage.add(run.trace)
  expect(coverage.missed.map(({ way }) => way)).toEqual(['case 1', 'no case'])
})
