import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { folderOf, playbookOf, world } from '../testing.ts'
import { loadTestFile } from './load.ts'
import { runTest, type TestResult } from './run.ts'

/** A step with impact `high` that no approval covers. */
const playbook = playbookOf(`- id: look
  skill: mfa.get_mfa_user_details
  with: { username: ada }
- id: bypass
  skill: mfa.toggle_mfa_user_bypass
  with: { username: ada, bypass: disabled }
- id: done
  case: { note: Done }
`)
const folders: { remove(): void }[] = []
afterAll(() => {
  for (const { remove } of folders) remove()
})

async function run(rest: string): Promise<TestResult> {
  const tests = `format: 1
playbook: tested
tests:
  - name: one
    alert: { content: {} }
    answers:
      mfa.get_mfa_user_details: { generate: true }
      mfa.toggle_mfa_user_bypass: { generate: true }
${rest}`
  const made = folderOf({ 'tested.yaml': playbook, 'tested.test.yaml': tests })
  folders.push(made)
  const file = await loadTestFile(await world, join(made.folder, 'tested.test.yaml'))
  const [one] = file.tests
  if (!one) throw new Error('no test')
  return runTest(await world, file, one, () => 0)
}

test.each([
  [
    'is given where the test says nothing',
    '{}',
    '{ outcome: completed, decisions: [], calls: [{ step: bypass, times: 1 }], case: { notes: [Done] } }',
  ],
  [
    'is given by whom the test says',
    '{ bypass: { approve: true, by: eve } }',
    '{ outcome: completed, decisions: [bypass], calls: [{ step: bypass, times: 1 }] }',
  ],
  [
    'is declined',
    '{ bypass: { approve: false, reason: No } }',
    '{ outcome: failed, error: approval_declined, failed_step: bypass, not_called: [mfa.toggle_mfa_user_bypass] }',
  ],
  ['expires', '{ bypass: { expire: true } }', '{ error: approval_expired, not_called: [mfa.toggle_mfa_user_bypass] }'],
])('what the policy asks about %s', async (_, decisions, expected) => {
  const { problems } = await run(`    decisions: ${decisions}\n    expect: ${expected}\n`)
  expect(problems).toEqual([])
})

test('skips writes to what the test protects, but not reads', async () => {
  const { problems } = await run(
    '    protected: [{ names: [" ADA"] }]\n    expect: { outcome: completed, calls: [{ step: look }], not_called: [mfa.toggle_mfa_user_bypass] }\n',
  )
  expect(problems).toEqual([])
  const other = await run(
    '    protected: [{ names: [ada], skills: [mfa.suspend_mfa_user] }]\n    expect: { not_called: [mfa.toggle_mfa_user_bypass] }\n',
  )
  expect(other.problems).toHaveLength(1)
})

test('does not ask before reads', async () => {
  const { problems } = await run('    decisions: { look: { approve: true } }\n    expect: {}\n')
  expect(problems.map(({ message }) => message)).toEqual(['look asks for no approval'])
})
