import { expect, test } from 'vitest'
import { compilePlaybook } from '../playbook/index.ts'
import { dryRun } from './dry-run.ts'
import { answersOf, output, playbookOf, world } from './testing.ts'
import type { Asked, Given } from './types.ts'

const steps = `- id: look
  skill: mfa.get_mfa_user_details
  with: { username: '{{ inputs.user }}' }
- id: suspend
  skill: mfa.suspend_mfa_user
  with: { username: '{{ steps.look.output.userName }}' }`

async function dry(read: ((call: Asked) => Promise<Given | null>) | null, given = answersOf({})) {
  const { plugins, lookup } = await world
  const plan = compilePlaybook(playbookOf(steps), 'tested.yaml', lookup)
  return dryRun({ plugins }, { plan, alert: { content: '{}' }, now: 0, connections: {}, given, read })
}

test('generates answers that are not given, and names the source of each answer', async () => {
  const { outcome, calls } = await dry(
    null,
    answersOf({ 'mfa.get_mfa_user_details': output({ userName: 'ada', status: null, bypass: 'disabled', devices: [], errorId: 200 }) }),
  )
  expect(outcome).toBe('completed')
  expect(calls.map(({ step, input, answer }) => [step, input, answer])).toEqual([
    ['look', { username: 'ada@example.com', same_device_users: false }, 'given'],
    ['suspend', { username: 'ada' }, 'generated'],
  ])
})

test('may send reads to the external system, but never writes', async () => {
  const asked: string[] = []
  const { calls } = await dry(async ({ skill }) => {
    asked.push(skill)
    return output({ userName: 'from the system', status: null, bypass: 'disabled', devices: [], errorId: 200 })
  })
  expect(asked).toEqual(['mfa.get_mfa_user_details'])
  expect(calls.map(({ input, answer }) => [input, answer])).toEqual([
    [{ username: 'ada@example.com', same_device_users: false }, 'read'],
    [{ username: 'from the system' }, 'generated'],
  ])
})

test('an error while reading an answer is not a failure of the run', async () => {
  await expect(dry(() => Promise.reject(new Error('Tocsin does not answer')))).rejects.toThrow('Tocsin does not answer')
})
