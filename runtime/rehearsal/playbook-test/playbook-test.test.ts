import { join } from 'node:path'
import { afterAll, describe, expect, it, test } from 'vitest'
import { playbookOf, world } from '../testing.ts'
import { loadTestFile } from './load.ts'
import { runTest, type TestResult } from './run.ts'
import { mistakes, newFolder, playbook, removeFolders, run } from './testing.ts'

afterAll(removeFolders)

/** Returns the problems of the tests, each as `line:column message`. */
async function problems(tests: string): Promise<string[]> {
  return (await run(tests)).flatMap((result) => result.problems.map(({ line, column, message }) => `${line}:${column} ${message}`))
}

const active = 'mfa.get_mfa_user_details: { output: { status: ACTIVE, devices: [{}, {}] } }'
const suspended = 'mfa.suspend_mfa_user: { recorded: suspend-ok }'

test('passes a run that meets every kind of expectation', async () => {
  expect(
    await problems(`
  - name: suspends
    alert: { content: { user: ada@example.com } }
    answers:
      ${active}
      ${suspended}
    expect:
      outcome: completed
      calls_in_order: true
      calls:
        - { step: look, skill: mfa.get_mfa_user_details, connection: idp }
        - { skill: mfa.suspend_mfa_user, with: { username: ada@example.com }, times: 1 }
      not_called: [mfa.unpair_mfa_device]
      in_doubt: []
      vars: { devices: 2 }
      verdict: Looked at ada@example.com
      case:
        severity: high
        title: { contains: tested }
        notes: [Suspended ada]
        findings: [{ title: active, risk: high, evidence: { user: ada@example.com } }, An active user]
        no_findings: [A suspended user]
  - name: stops
    alert: { content: user=bob }
    answers: { mfa.get_mfa_user_details: { output: { status: SUSPENDED } } }
    expect: { outcome: completed, reason: Not active, not_called: [mfa.suspend_mfa_user], calls: [{ skill: mfa.suspend_mfa_user, times: 0 }] }
  - name: fails
    alert: { content: {} }
    answers: { mfa.get_mfa_user_details: { error: user_not_found } }
    expect: { outcome: failed, error: user_not_found, failed_step: look }
`),
  ).toEqual([])
})

test('reports each failed expectation with its line and with what came instead', async () => {
  const [result] = await run(`
  - name: wrong
    alert: { content: { user: ada@example.com } }
    answers:
      ${active}
      ${suspended}
    expect:
      outcome: failed
      reason: None
      error: network
      failed_step: look
      calls:
        - { skill: mfa.suspend_mfa_user, with: { username: bob@example.com } }
        - { skill: mfa.get_mfa_user_details, times: 2 }
      not_called: [mfa.suspend_mfa_user]
      in_doubt: [suspend]
      vars: { devices: 3 }
      verdict: { contains: nobody }
      case: { severity: low, title: Another, notes: [None], findings: [None], no_findings: [active] }
`)
  expect(result?.problems.map(({ line, field, message }) => `${line} ${field.replace('tests.0.expect.', '')}: ${message}`)).toEqual([
    '10 outcome: the outcome differs',
    '11 reason: the reason differs',
    '12 error: the run has no error',
    '13 failed_step: the run fails at another step',
    '15 calls.0: mfa.suspend_mfa_user is not called with {"username":"bob@example.com"}',
    '16 calls.1: mfa.get_mfa_user_details is called once instead of 2 times',
    '17 not_called.0: mfa.suspend_mfa_user is called at active/suspend with {"username":"ada@example.com"}',
    '18 in_doubt: the writes in doubt differ',
    "21 case.severity: the case's severity differs",
    "21 case.title: the case's title differs",
    '21 case.notes.0: no note contains this text',
    '21 case.findings.0: there is no such finding',
    '21 case.no_findings.0: there is such a finding: An active user',
    '19 vars: vars differ',
    '20 verdict: the verdict differs',
  ])
  expect(result?.problems[4]?.differences).toEqual([{ path: ['with', 'username'], expected: 'bob@example.com', actual: 'ada@example.com' }])
})

test('reports calls in another order only if the order matters', async () => {
  const order = (counts: boolean): string => `
  - name: order
    alert: { content: {} }
    answers:
      ${active}
      ${suspended}
    expect: { calls_in_order: ${counts}, calls: [{ skill: mfa.suspend_mfa_user }, { skill: mfa.get_mfa_user_details }] }
`
  expect(await problems(order(false))).toEqual([])
  expect(await problems(order(true))).toEqual(['9:78 mfa.get_mfa_user_details is called, but not after the call listed before it'])
})

test('fails a test with an unanswered call, and only that test, and says what to write', async () => {
  const told = await problems(`
  - name: unanswered
    alert: { content: {} }
    answers: { ${active} }
    expect: { outcome: failed, vars: { devices: 7 } }
`)
  expect(told).toEqual([
    '6:14 active/suspend calls mfa.suspend_mfa_user with {"username":"ada@example.com"}, but the test has no answer for it. Add one under `answers`, for example:\n  mfa.suspend_mfa_user: { output: {"errorId":1} }',
  ])
})

describe('answers', () => {
  it('are chosen by the number of the call; the last one serves all later calls', async () => {
    const [result] = await run(`
  - name: tries
    alert: { content: {} }
    answers:
      mfa.get_mfa_user_details: [{ error: network }, { error: network }, { generate: true }]
      mfa.suspend_mfa_user: { generate: required }
    expect: { outcome: completed, calls: [{ skill: mfa.get_mfa_user_details, times: 3 }] }
`)
    expect(result?.problems).toEqual([])
  })

  it('are chosen by input, step or connection before those for any call', async () => {
    const [result] = await run(`
  - name: particular
    alert: { content: { user: bob } }
    answers:
      mfa.get_mfa_user_details:
        - { output: { status: ACTIVE } }
        - { when: { with: { username: bob }, step: look, connection: idp }, output: { status: null } }
    expect: { reason: Not active }
`)
    expect(result?.problems).toEqual([])
  })

  it('may be lost before or after the request leaves, and a probe may have an answer', async () => {
    const tests = (lost: string): string => `
  - name: lost
    alert: { content: {} }
    answers:
      ${active}
      mfa.suspend_mfa_user: ${lost}
    expect: { outcome: completed }
`
    const results = async (lost: string) => (await run(tests(lost)))[0]?.rehearsed
    expect((await results('{ lost: after }'))?.inDoubt).toEqual(['active/suspend'])
    expect(await results('{ lost: after, verify: { output: { status: SUSPENDED } } }')).toMatchObject({ outcome: 'completed', inDoubt: [] })
    const before = await results('[{ lost: before }, { generate: true }]')
    expect(before).toMatchObject({ outcome: 'completed', inDoubt: [] })
    expect(before?.calls.filter(({ step }) => step === 'active/suspend')).toHaveLength(2)
  })

  it('must be possible for the skill, unless the test says otherwise', async () => {
    const tests = (strict: string): string => `
  - name: impossible
    alert: { content: {} }
    answers: { mfa.get_mfa_user_details: { output: { devices: 3 }${strict} } }
    expect: {}
`
    expect(await mistakes(tests(''))).toEqual(['6:52 mfa.get_mfa_user_details cannot return this: devices must be array; `strict: false` allows it'])
    expect(await mistakes(tests(', strict: false'))).toEqual([])
  })
})

test('a run begins when the test says, or else always at the same time', async () => {
  const times = await run(`
  - { name: given, now: 2026-03-01T12:00:00Z, alert: { content: {} }, answers: { mfa.get_mfa_user_details: { output: { status: null } } }, expect: {} }
  - { name: not, alert: { content: {} }, answers: { mfa.get_mfa_user_details: { output: { status: null } } }, expect: {} }
`)
  expect(times.map(({ rehearsed }) => new Date(rehearsed?.case.createdAt ?? 0).toISOString())).toEqual([
    '2026-03-01T12:00:00.000Z',
    '2026-01-01T00:00:00.000Z',
  ])
})

test('an optional slot has a connection if the test answers a skill of its integration, or says so', async () => {
  const optional = playbook
    .replace('{ integration: mfa }', '{ integration: mfa, optional: true }')
    .replace('- id: look\n', '- id: look\n    if: { var: connections.idp.bound }\n')
  const folder = newFolder({
    'tested.yaml': optional,
    'tested.test.yaml': `format: 1
playbook: tested
tests:
  - { name: not, alert: { content: {} }, expect: { outcome: failed, error: condition_failed } }
  - { name: answered, alert: { content: {} }, answers: { mfa.get_mfa_user_details: { output: { status: null } } }, expect: { outcome: completed } }
  - { name: said, alert: { content: {} }, connections: { idp: true }, expect: {} }
`,
  })
  const file = await loadTestFile(await world, join(folder, 'tested.test.yaml'))
  const results: TestResult[] = []
  for (const one of file.tests) results.push(await runTest(await world, file, one, () => 0))
  expect(results.map(({ problems }) => problems.map(({ message }) => message.split(' ').slice(0, 3).join(' ')))).toEqual([
    [],
    [],
    ['look calls mfa.get_mfa_user_details'],
  ])
})

test('an answer says how long its call takes, which decides the branch that ends first', async () => {
  const race = playbookOf(
    `- id: race
  parallel:
    join: any
    rest: cancel
    branches:
      quick:
        - id: read
          skill: mfa.get_mfa_user_details
          with: { username: '{{ inputs.user }}' }
      slow:
        - id: one
          skill: mfa.suspend_mfa_user
          with: { username: '{{ inputs.user }}' }
        - id: two
          skill: mfa.suspend_mfa_user
          with: { username: '{{ inputs.user }}' }`,
    'connections: { idp: { integration: mfa } }',
  )
  const folder = newFolder({
    'tested.yaml': race,
    'tested.test.yaml': `format: 1
playbook: tested
tests:
  - name: races
    alert: { content: { user: ada@example.com } }
    answers:
      mfa.get_mfa_user_details: { generate: true, after: 2s }
      mfa.suspend_mfa_user: { generate: true, after: 1500ms }
    expect: { outcome: completed, calls: [{ step: one, times: 1 }, { step: two, times: 1 }] }
  - name: cancels
    alert: { content: { user: ada@example.com } }
    answers:
      mfa.get_mfa_user_details: { generate: true, after: 1s }
      mfa.suspend_mfa_user: { generate: true, after: 1500ms }
    expect: { outcome: completed, calls: [{ step: one, times: 1 }, { step: two, times: 0 }] }
`,
  })
  const file = await loadTestFile(await world, join(folder, 'tested.test.yaml'))
  for (const one of file.tests) expect((await runTest(await world, file, one, () => 0)).problems).toEqual([])
})

describe('a test passes only for its own reasons', () => {
  const answers = 'answers: { mfa.get_mfa_user_details: { error: credentials_rejected } }'

  test.each([
    '{}',
    '{ not_called: [mfa.suspend_mfa_user] }',
    '{ calls: [{ skill: mfa.suspend_mfa_user, times: 0 }] }',
    '{ in_doubt: [], decisions: [] }',
  ])('a run that fails does not meet %s', async (expected) => {
    const found = await problems(`  - name: a\n    alert: { content: { user: ada } }\n    ${answers}\n    expect: ${expected}\n`)
    expect(found).toEqual([
      expect.stringMatching(
        /^7:\d+ the run fails: credentials_rejected: .* \(at look\); if the test is about that, expect `error: credentials_rejected`$/,
      ),
    ])
  })

  test.each(['{ outcome: failed }', '{ error: credentials_rejected }', '{ failed_step: look }'])('it meets %s', async (expected) => {
    expect(await problems(`  - { name: a, alert: { content: { user: ada } }, ${answers}, expect: ${expected} }\n`)).toEqual([])
  })

  test.each([
    [
      'calls: [{ skill: mfa.get_mfa_user_details, with: { usernam: ada }, times: 0 }]',
      'the input of the skill has no member `usernam`; did you mean `username`?',
    ],
    ['calls: [{ skill: mfa.get_mfa_user_details, connection: ipd, times: 0 }]', 'there is no slot `ipd`; did you mean `idp`?'],
    ['calls: []', 'must be a list of at least one call; for skills that are not called, write `not_called`'],
    ['not_called: []', 'must not be empty'],
    ['case: { no_findings: [] }', 'must not be empty'],
    ['calls: [{ step: active, times: 0 }]', '`active` is an `if` step, which calls no skill itself'],
    ['calls: [{ step: end, skill: mfa.suspend_mfa_user, times: 0 }]', '`end` is a `set` step, which calls no skill itself'],
    ['calls: [{ step: look, skill: mfa.suspend_mfa_user, times: 0 }]', '`look` calls mfa.get_mfa_user_details, not mfa.suspend_mfa_user'],
    ['calls: [{ step: activ/suspend, times: 0 }]', 'no step has the address `activ/suspend`; did you mean `active/suspend`?'],
    ['calls: [{ step: active/0/suspend, times: 0 }]', 'no step has the address `active/0/suspend`; did you mean `active/suspend`?'],
    ['calls: [{ skill: mailsec.list_mailsec_accounts, connection: idp, times: 0 }]', 'the slot `idp` is for mfa'],
  ])('refuses `%s`, which would always hold', async (expected, message) => {
    expect(await mistakes(`  - { name: a, alert: { content: { user: ada } }, expect: { ${expected} } }\n`)).toEqual([
      expect.stringContaining(message),
    ])
  })

  test.each([
    ['with: { usernam: ada }', 'the input of the skill has no member `usernam`; did you mean `username`?'],
    ['connection: ipd', 'there is no slot `ipd`; did you mean `idp`?'],
    ['step: lok', 'there is no step `lok`; did you mean `look`?'],
    ['step: note', '`note` is a `case` step, which calls no skill itself'],
    ['step: suspend', '`suspend` calls mfa.suspend_mfa_user, not mfa.get_mfa_user_details'],
    ['step: suspend/look', 'no step has the address `suspend/look`; `look` has `look`'],
  ])('refuses an answer for calls that there cannot be: `%s`', async (when, message) => {
    const given = `answers: { mfa.get_mfa_user_details: [{ when: { ${when} }, error: network }, { generate: true }] }`
    expect(await mistakes(`  - { name: a, alert: { content: { user: ada } }, ${given}, expect: { outcome: completed } }\n`)).toEqual([
      expect.stringContaining(message),
    ])
  })
})
