import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { folderOf, playbookOf, world } from '../testing.ts'
import { loadTestFile } from './load.ts'
import { runTest, type TestResult } from './run.ts'

const playbook = playbookOf(`- id: cool
  wait: { for: 2h }
- id: ask
  approve: { title: 'Suspend {{ inputs.user }}?', by: [ada, bob], approvers: 2, expires: 4h, covers: suspend }
  on_error:
    - id: say
      case: { note: 'Not approved: {{ steps.ask.error.code }}' }
    - id: end
      stop: { outcome: completed, reason: Not approved }
- id: suspend
  skill: mfa.suspend_mfa_user
  with: { username: '{{ inputs.user }}' }
- id: gone
  wait:
    poll: { skill: mfa.get_mfa_user_details, with: { username: '{{ inputs.user }}' } }
    every: 10m
    until: { '==': [{ var: output.status }, SUSPENDED] }
    at_most: 1h
- id: done
  case: { note: 'Approved by {{ steps.ask.output.by | join: " and " }}', status: contained }
`)
const folders: { remove(): void }[] = []
afterAll(() => {
  for (const { remove } of folders) remove()
})

/** Suspends a user after an approval, unless an hour passes first. */
const hurried = playbookOf(`- id: both
  parallel:
    branches:
      people:
        - id: ask
          approve: { title: Go on?, covers: suspend }
        - id: suspend
          skill: mfa.suspend_mfa_user
          with: { username: '{{ inputs.user }}' }
      clock:
        - id: hour
          wait: { for: 1h }
        - id: late
          stop: { outcome: completed, reason: Too late }
`)

const look = 'mfa.get_mfa_user_details: [{ output: { status: ACTIVE } }, { error: network }, { output: { status: SUSPENDED } }]'

async function run(rest: string, tested = playbook, read = look): Promise<TestResult> {
  const tests = `format: 1
playbook: tested
tests:
  - name: one
    alert: { content: {} }
    answers:
      mfa.suspend_mfa_user: { recorded: suspend-ok }
      ${read}
${rest}`
  const made = folderOf({ 'tested.yaml': tested, 'tested.test.yaml': tests })
  folders.push(made)
  const file = await loadTestFile(await world, join(made.folder, 'tested.test.yaml'))
  const [one] = file.tests
  if (!one) throw new Error('no test')
  return runTest(await world, file, one, () => 0)
}

test('a run sleeps, gets its approvals, and continues, while no time passes', async () => {
  const { problems, rehearsed } = await run(`
    decisions: { ask: { approve: true, reason: Sure, after: 1h } }
    expect:
      outcome: completed
      decisions: [ask]
      in_doubt: []
      calls: [{ skill: mfa.suspend_mfa_user, times: 1 }, { step: gone, times: 3 }]
      case: { status: contained, notes: [Approved by ada and bob] }
`)
  expect(problems).toEqual([])
  expect(rehearsed?.elapsed).toBeGreaterThan(3 * 3_600_000)
  expect(rehearsed?.calls.filter(({ step }) => step === 'suspend')).toHaveLength(1)
})

test.each([
  ['one who declines', 'ask: { approve: false, by: bob, reason: No }', 'approval_declined'],
  ['nobody in time', 'ask: { expire: true }', 'approval_expired'],
])('%s: the step fails, and nothing is sent', async (_, decisions, code) => {
  const { problems } = await run(`
    decisions: { ${decisions} }
    expect: { outcome: completed, reason: Not approved, not_called: [mfa.suspend_mfa_user], case: { notes: [${code}] } }
`)
  expect(problems).toEqual([])
})

test.each([
  ['nobody answers', '{}'],
  ['one of two approves', '{ ask: { approve: true, by: ada } }'],
])('the run waits when %s', async (_, decisions) => {
  const { problems } = await run(`
    decisions: ${decisions}
    expect: { outcome: waiting, decisions: [ask], not_called: [mfa.suspend_mfa_user] }
`)
  expect(problems).toEqual([])
})

test.each([
  ['before', '30m', 1],
  ['after', '2h', 0],
])('people answer %s the time that another branch waits for', async (_, after, times) => {
  const { problems, rehearsed } = await run(
    `
    decisions: { ask: { approve: true, after: ${after} } }
    expect: { outcome: completed, reason: Too late }
`,
    hurried,
    '',
  )
  expect(problems).toEqual([])
  expect(rehearsed?.elapsed).toBe(3_600_000)
  expect(rehearsed?.calls).toHaveLength(times)
})

test('a test fails if its answer comes after the decision has expired', async () => {
  const { problems } = await run(`
    decisions: { ask: { approve: true, after: 5h } }
    expect: { outcome: completed }
`)
  expect(problems).toMatchObject([{ field: 'tests.0.decisions', message: 'The decision has expired.' }])
})

test('a test fails if its answer comes from somebody who may not answer', async () => {
  const { problems } = await run(`
    decisions: { ask: { approve: true, by: eve } }
    expect: { outcome: completed }
`)
  expect(problems).toMatchObject([{ field: 'tests.0.decisions', message: 'The decision names others who may answer it.' }])
})

test('reports decisions that the test does not expect', async () => {
  const { problems } = await run(`
    expect: { decisions: [] }
`)
  expect(problems).toMatchObject([{ message: 'the decisions differ', differences: [{ expected: [], actual: ['ask'] }] }])
})

test('reports mistakes with their places', async () => {
  const { problems } = await run(`
    decisions:
      asks: { approve: true }
      suspend: { approve: true }
      ask: [{ doubt: repeat }, { approve: true, expire: true }, {}]
      done: { expire: true }
    expect: {}
`)
  expect(problems.map(({ line, message }) => `${line} ${message}`)).toEqual([
    '11 there is no step `asks`; did you mean `ask`?',
    '12 suspend asks for no approval',
    '13 ask is not a skill step, so no write of it can be in doubt',
    '13 must have exactly one of approve, doubt, expire, but has approve and expire',
    '13 must have exactly one of approve, doubt, expire',
    '14 done asks for no approval',
  ])
})
