import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { tocsin } from '../support/processes/in-process.ts'
import { playbookFolder } from './command.ts'

const made = playbookFolder({
  'looked.yaml': `format: 1
playbook: looked
alert_type: looked
inputs: { user: { type: string, from: [content.user], required: true } }
connections: { idp: { integration: mfa, optional: true } }
steps:
  - id: look
    if: { var: connections.idp.bound }
    skill: mfa.get_mfa_user_details
    with: { username: '{{ inputs.user }}' }
    on_error: continue
  - id: active
    if: { '==': [{ var: [steps.look.output.status, ''] }, ACTIVE] }
    then:
      - id: suspend
        skill: mfa.suspend_mfa_user
        with: { username: '{{ inputs.user }}' }
`,
  'alert.json': '{"user":"ada@example.com"}',
  'nobody.json': '{"host":"laptop"}',
  'answers.yaml': 'mfa.get_mfa_user_details: { output: { status: SUSPENDED } }\n',
  'wrong.yaml': 'mfa.get_mfa_user_detail: { output: { status: SUSPENDED } }\n',
})
afterAll(() => made.remove())
const file = (name: string): string => join(made.folder, name)
const dry = (...words: string[]) => tocsin(['playbook', 'dry-run', file('looked.yaml'), '--alert', file('alert.json'), ...words])

test('JSON contains the calls with rendered inputs, the outcome and the case', async () => {
  const { code, out } = await dry('--format', 'json')
  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject({
    outcome: 'completed',
    error: null,
    calls: [
      {
        step: 'look',
        skill: 'mfa.get_mfa_user_details',
        impact: 'read',
        connection: 'idp',
        input: { username: 'ada@example.com' },
        answer: 'generated',
      },
      { step: 'active/suspend', skill: 'mfa.suspend_mfa_user', impact: 'write', connection: 'idp', input: { username: 'ada@example.com' } },
    ],
    ways: [
      { step: 'look', way: 'if holds' },
      { step: 'active', way: 'then' },
    ],
    case: { severity: 'unassigned', notes: [], findings: [] },
  })
})

test('uses the given answers, leaves a slot without a connection, and says which answers were generated', async () => {
  const given = await dry('--answers', file('answers.yaml'))
  expect(given.out).toContain('active: else')
  expect(given.out).not.toContain('mfa.suspend_mfa_user')
  const unbound = await dry('--unbound', 'idp', '--format', 'json')
  expect(JSON.parse(unbound.out).calls).toEqual([])
  expect((await dry()).out).toContain('2 of 2 answers were generated')
})

test('exits with 1 if the run would fail, and gives the reason once', async () => {
  const { code, out, err } = await tocsin(['playbook', 'dry-run', file('looked.yaml'), '--alert', file('nobody.json'), '--format', 'json'])
  expect([code, err]).toEqual([1, ''])
  expect(JSON.parse(out)).toMatchObject({
    outcome: 'failed',
    error: { code: 'inputs_missing', message: 'inputs.user was not found at: content.user' },
  })
})

test.each([
  [
    'a playbook that is not there',
    ['playbook', 'dry-run', 'lookd', '--playbooks', made.folder, '--alert', file('alert.json')],
    'did you mean `looked`?',
  ],
  ['an alert that is not there', ['playbook', 'dry-run', file('looked.yaml'), '--alert', file('none.json')], 'none.json'],
  [
    'answers with a mistake',
    ['playbook', 'dry-run', file('looked.yaml'), '--alert', file('alert.json'), '--answers', file('wrong.yaml')],
    'wrong.yaml:1:1',
  ],
  ['a slot that there is not', ['playbook', 'dry-run', file('looked.yaml'), '--alert', file('alert.json'), '--unbound', 'ipd'], 'idp'],
])('%s ends with 2', async (_, words, told) => {
  const { code, err } = await tocsin(words)
  expect(err).toContain(told)
  expect(code).toBe(2)
})
