import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { world } from '../testing.ts'
import { loadTestFile } from './load.ts'
import { mistakes, newFolder, playbook, removeFolders, run } from './testing.ts'

afterAll(removeFolders)

test('reports mistakes with their places and the most similar right names', async () => {
  expect(
    await mistakes(`
  - name: misspelt
    alert: { content: {} }
    connections: { ipd: false }
    answers:
      mfa.get_mfa_user_detail: { generate: true }
      mfa.suspend_mfa_user: { recorded: suspendok }
      mfa.activate_mfa_user: { error: user_not_fond }
      mfa.unpair_mfa_device: { output: {}, error: network }
      mfa.get_mfa_user_details: { lost: after }
      mfi.get: { generate: true }
    expect:
      calls: [{ skill: mfa.suspend_mfa_usr }, { step: suspnd }, { with: {} }]
      not_called: [mfa.unpair]
      in_doubt: [suspended]
      failed_step: lock
  - name: misspelt
    alert: { content: {} }
    expect: {}
`),
  ).toEqual([
    '6:20 there is no slot `ipd`; did you mean `idp`?',
    '8:7 mfa has no skill `get_mfa_user_detail`; did you mean `get_mfa_user_details`?',
    '9:41 mfa has no fixture `suspendok`; did you mean `suspend-ok`?',
    '10:7 no step calls mfa.activate_mfa_user, so nothing would get this answer',
    '10:39 there is no error code `user_not_fond`; did you mean `user_not_found`?',
    '11:7 no step calls mfa.unpair_mfa_device, so nothing would get this answer',
    '11:30 must have exactly one of output, generate, recorded, error, lost, but has output and error',
    '12:41 mfa.get_mfa_user_details only reads; write `error: network` instead',
    '13:7 there is no integration `mfi`; did you mean `mfa`?',
    '15:24 mfa has no skill `suspend_mfa_usr`; did you mean `suspend_mfa_user`?',
    '15:55 there is no step `suspnd`; did you mean `suspend`?',
    '15:65 must name a skill or a step',
    '16:20 mfa has no skill `unpair`; did you mean `unpair_mfa_device`?',
    '17:18 there is no step `suspended`; did you mean `suspend`?',
    '18:20 there is no step `lock`; did you mean `look`?',
    '19:11 line 4 has a test with this name already',
  ])
  expect(await mistakes('  - name: key\n    alert: { content: {} }\n    expects: {}\n    expect: { outcom: completed }\n')).toEqual([
    '6:5 `expects` is not a key here; did you mean `expect`?',
    '7:15 `outcom` is not a key here; did you mean `outcome`?',
  ])
})

test('a mistake in a test fails that test, which is not executed, and no other', async () => {
  const results = await run(`
  - name: stale
    alert: { content: {} }
    answers: { mfa.unpair_mfa_device: { generate: true } }
    expect: { outcome: completed }
  - name: sound
    alert: { content: {} }
    answers: { mfa.get_mfa_user_details: { output: { status: null } } }
    expect: { reason: Not active }
`)
  expect(results).toMatchObject([
    {
      name: 'stale',
      line: 4,
      problems: [{ line: 6, column: 16, field: 'tests.0.answers.mfa.unpair_mfa_device', message: expect.stringContaining('no step calls') }],
      rehearsed: null,
    },
    { name: 'sound', problems: [], rehearsed: { outcome: 'completed' } },
  ])
})

test('refuses a fixture of another skill, and names the fixtures of this one', async () => {
  expect(
    await mistakes(`
  - name: other
    alert: { content: {} }
    answers: { mfa.get_mfa_user_details: { recorded: suspend-ok } }
    expect: {}
`),
  ).toEqual([
    expect.stringMatching(/^6:54 the fixture `suspend-ok` is not an answer of mfa\.get_mfa_user_details: .*; this skill has `user-details`$/),
  ])
})

test('a fixture that cannot be read, or has no output, fails only the tests that use it', async () => {
  const output = (_: string, name: string): undefined => {
    if (name === 'broken') throw new Error('no JSON')
  }
  const folder = newFolder({
    'tested.yaml': playbook,
    'tested.test.yaml': `format: 1
playbook: tested
tests:
  - { name: a, alert: { content: {} }, answers: { mfa.get_mfa_user_details: { recorded: broken } }, expect: {} }
  - { name: b, alert: { content: {} }, answers: { mfa.get_mfa_user_details: { recorded: empty } }, expect: {} }
  - { name: c, alert: { content: {} }, expect: {} }
`,
  })
  const fixtures = { names: () => ['broken', 'empty'], output }
  const { tests } = await loadTestFile({ ...(await world), fixtures }, join(folder, 'tested.test.yaml'))
  expect(tests.map(({ mistakes: found }) => found.map(({ line, message }) => `${line} ${message}`))).toEqual([
    ['4 the fixture `broken` cannot be read: no JSON'],
    ['5 the fixture `empty` has no `output`'],
    [],
  ])
})

test('reports a missing playbook with the most similar name', async () => {
  const folder = newFolder({
    'tested.yaml': playbook,
    'a.test.yaml': 'format: 1\nplaybook: testd\ntests: [{ name: a, alert: { content: a }, expect: {} }]\n',
  })
  await expect(loadTestFile(await world, join(folder, 'a.test.yaml'))).rejects.toThrow(
    'a.test.yaml:2:11: playbook: There is no playbook `testd`; did you mean `tested`?',
  )
})

test('reports what is wrong with a playbook file that is not YAML', async () => {
  const folder = newFolder({
    'tested.yaml': "format: 1\nplaybook: tested\ndescription: 'open\n",
    'tested.test.yaml': 'format: 1\nplaybook: tested\ntests: [{ name: a, alert: { content: a }, expect: {} }]\n',
  })
  await expect(loadTestFile(await world, join(folder, 'tested.test.yaml'))).rejects.toThrow(/tested\.yaml:\d+:\d+: /)
})
