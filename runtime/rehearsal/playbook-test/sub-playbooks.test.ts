import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { Coverage } from '../coverage/coverage.ts'
import { folderOf, world } from '../testing.ts'
import { loadTestFile } from './load.ts'
import { runTest, type TestResult } from './run.ts'

const sub = `format: 1
playbook: look-at
inputs: { user: { type: string, required: true } }
outputs: { status: '{{ vars.status }}' }
connections: { idp: { integration: mfa } }
steps:
  - id: look
    skill: mfa.get_mfa_user_details
    with: { username: '{{ inputs.user }}' }
  - id: keep
    set: { status: '{{ steps.look.output.status }}' }
  - id: odd
    if: { '==': [{ var: steps.look.output.status }, PENDING] }
    then:
      - id: stop
        stop: { outcome: failed, reason: Pending }
`
const parent = `format: 1
playbook: parent
alert_type: parent
outputs: { found: '{{ steps.user.output.status }}' }
steps:
  - id: user
    playbook: look-at
    with: { user: '{{ alert.content.user }}' }
  - id: say
    case: { note: 'It is {{ steps.user.output.status }}' }
`
const folders: { remove(): void }[] = []
afterAll(() => {
  for (const { remove } of folders) remove()
})

async function load(playbook: string, tests: string) {
  const made = folderOf({
    'look-at.yaml': sub,
    'parent.yaml': parent,
    'a.test.yaml': `format: 1\nplaybook: ${playbook}\ntests:\n${tests.replace(/^\n/, '')}`,
  })
  folders.push(made)
  return loadTestFile(await world, join(made.folder, 'a.test.yaml'))
}

async function run(playbook: string, tests: string): Promise<readonly TestResult[]> {
  const file = await load(playbook, tests)
  const results: TestResult[] = []
  for (const one of file.tests) results.push(await runTest(await world, file, one, () => 0))
  return results
}

test('a sub-playbook is tested by itself, with the inputs in the test', async () => {
  const results = await run(
    'look-at',
    `
  - name: looks
    inputs: { user: ada }
    answers: { mfa.get_mfa_user_details: { output: { status: ACTIVE } } }
    expect:
      outcome: completed
      calls: [{ step: look, skill: mfa.get_mfa_user_details, connection: idp, with: { username: ada }, times: 1 }]
      outputs: { status: ACTIVE }
  - name: stops as failed
    inputs: { user: ada }
    answers: { mfa.get_mfa_user_details: [{ when: { step: look, connection: idp }, output: { status: PENDING } }] }
    expect: { outcome: failed, error: run_stopped }
  - name: fails at a step of its own
    inputs: { user: ada }
    answers: { mfa.get_mfa_user_details: { error: user_not_found } }
    expect: { outcome: failed, error: user_not_found, failed_step: look }
  - name: has no connection
    inputs: { user: ada }
    connections: { idp: false }
    expect: { outcome: failed, error: connection_missing }
`,
  )
  expect(results.flatMap(({ problems }) => problems)).toEqual([])
  const { plan } = (await load('look-at', '  - { name: a, inputs: { user: a }, expect: {} }\n')).playbook
  const coverage = new Coverage(plan)
  for (const { rehearsed } of results) if (rehearsed) coverage.add(rehearsed.trace)
  expect(coverage.percent).toBe(100)
})

test("a test of the calling playbook answers the sub-playbook's calls at their addresses", async () => {
  const results = await run(
    'parent',
    `
  - name: runs
    alert: { content: { user: ada } }
    answers: { mfa.get_mfa_user_details: [{ when: { step: user/look }, output: { status: ACTIVE } }] }
    expect:
      outcome: completed
      calls: [{ step: user/look, connection: look-at/idp, with: { username: ada } }]
      case: { notes: [It is ACTIVE] }
      outputs: { found: ACTIVE }
  - name: fails
    alert: { content: { user: ada } }
    answers: { mfa.get_mfa_user_details: { error: network } }
    expect: { outcome: failed, failed_step: user/look, error: network }
`,
  )
  expect(results.flatMap(({ problems }) => problems)).toEqual([])
  // The sub-playbook has tests and branches of its own.
  expect(new Coverage((await load('parent', '  - { name: a, alert: { content: a }, expect: {} }\n')).playbook.plan).branches).toEqual([])
})

test('reports mistakes with their places', async () => {
  const mistakes = async (playbook: string, tests: string): Promise<string[]> =>
    (await run(playbook, tests)).flatMap(({ problems }) => problems.map(({ line, message }) => `${line} ${message}`))
  expect(await mistakes('parent', '  - { name: a, expect: {} }\n  - { name: b, alert: { content: a }, inputs: { user: a }, expect: {} }\n')).toEqual([
    '4 `alert` is missing',
    '5 parent reads its inputs from the alert; only tests of sub-playbooks have `inputs`',
  ])
  expect(await mistakes('look-at', '  - { name: a, expect: { vars: {} } }\n  - { name: b, inputs: { usr: a }, expect: {} }\n')).toEqual([
    '4 `inputs` is missing: look-at is a sub-playbook, so the test must give its inputs',
    '4 nobody outside sees the vars of a sub-playbook; expect its `outputs` instead',
    '5 look-at has no input `usr`; did you mean `user`?',
  ])
})
