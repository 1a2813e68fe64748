import { describe, expect, test } from 'vitest'
import { parseYaml } from '../../yaml/index.ts'
import { compilePlaybook, examinePlaybook } from './compile.ts'
import { lookup, playbook } from './testing.ts'
import { playbooksNamedIn, sourcesOf, withPlaybooks } from './with-playbooks.ts'

const subs = [
  `format: 1
playbook: recheck
inputs: { user: { type: string, format: email, required: true }, days: { type: integer, default: 1 }, more: { type: array } }
connections: { idp: { integration: mfa } }
outputs: { found: '{{ steps.look.output.status }}' }
steps:
  - { id: look, skill: mfa.get_user, with: { username: '{{ inputs.user }}' } }
`,
  'format: 1\nplaybook: for-alerts\nalert_type: x\nsteps: [{ id: a, set: { b: 1 } }]\n',
  "format: 1\nplaybook: broken\nsteps: [{ id: a, case: { note: '{{ inputs.x }}' } }]\n",
  'format: 1\nplaybook: ping\nsteps: [{ id: a, playbook: pong }]\n',
  'format: 1\nplaybook: pong\nsteps: [{ id: a, playbook: ping }]\n',
  'format: 1\nplaybook: outer\nsteps: [{ id: a, playbook: recheck, with: { user: a@b.c } }]\n',
  ': not YAML',
]
const world = withPlaybooks(lookup, sourcesOf(subs.map((text, index) => ({ text, file: `sub-${index}.yaml` }))))

function faultsOf(text: string): string[] {
  return examinePlaybook(parseYaml(text, 'test.yaml'), world).findings.map(
    ({ code, line, column, message }) => `${line}:${column} ${code} ${message}`,
  )
}
const running = (name: string, given = ''): string => playbook(`  - id: again\n    playbook: ${name}\n${given}`)

describe('a step that runs a playbook', () => {
  test('has the plan of the playbook, and the playbook has the plans of all that it runs', () => {
    const plan = compilePlaybook(running('outer'), 'test.yaml', world)
    expect(plan.steps[0]).toMatchObject({ kind: 'playbook', playbook: { name: 'outer', types: [], steps: [{ playbook: { name: 'recheck' } }] } })
    expect(Object.keys(plan.playbooks).sort()).toEqual(['outer', 'recheck'])
    // A sub-playbook has slots of its own.
    expect(plan.slots).toEqual({})
  })

  test.each([
    ['recheck', '    with: { user: a@b.c, days: 2 }\n', []],
    ['rechek', '', ['6:15 sub_playbook_unknown there is no playbook `rechek`; did you mean `recheck`?']],
    ['for-alerts', '', ['6:15 sub_playbook_has_types `for-alerts` has alert types (x); a sub-playbook must have no `alert_type`']],
    ['broken', '', [expect.stringMatching(/^6:15 sub_playbook_invalid `broken` has errors: sub-2\.yaml:3:\d+: .*there is no input `x`/)]],
    ['ping', '', ['6:15 sub_playbook_circle the playbooks run each other in a circle: ping runs pong runs ping']],
    ['test', '', ['6:15 sub_playbook_circle the playbooks run each other in a circle: test runs test']],
    ['recheck', '', ['5:5 sub_playbook_input_missing `recheck` needs the input `user`']],
    ['recheck', '    with: { user: a@b.c, dayz: 2 }\n', ['7:26 sub_playbook_input_unknown `recheck` has no input `dayz`; did you mean `days`?']],
    [
      'recheck',
      '    with: { user: ada, days: two }\n',
      ['7:19 sub_playbook_input_invalid must look like email', '7:30 sub_playbook_input_invalid must be an integer'],
    ],
    ['recheck', "    with: { user: '{{ inputs.x }}' }\n", [expect.stringMatching(/^7:23 input_unknown/)]],
    ['Not A Name', '', [expect.stringMatching(/^6:15 value_invalid must be the name of a playbook/)]],
  ])('%s %s', (name, given, faults) => {
    expect(faultsOf(running(name, given))).toEqual(faults)
  })

  test('values with templates are checked during the run', () => {
    expect(faultsOf(running('recheck', "    with: { user: '{{ alert.content.user }}', more: ['{{ alert.content.user }}'] }\n"))).toEqual([])
  })
})

describe('a playbook without alert types', () => {
  test('is a sub-playbook: it needs no `from`, and has outputs', () => {
    const plan = compilePlaybook(subs[0] ?? '', 'recheck.yaml', world)
    expect(plan).toMatchObject({ types: [], inputs: [{ name: 'user', required: true }, { name: 'days' }, { name: 'more' }] })
    expect(plan.outputs?.render({ steps: { look: { output: { status: 'x' } } } })).toEqual({ found: 'x' })
  })

  test('cannot have keys that belong to the run', () => {
    const text = `format: 1\nplaybook: a\ninputs: { user: { type: string, from: [content.user] } }\nlimits: { concurrency: 2 }\ncase: { severity: high }\nsteps: [{ id: b, set: { c: 1 } }]\nverdict: { summary: x }\n`
    expect(faultsOf(text).map((fault) => fault.split(' ').slice(0, 2).join(' '))).toEqual([
      '3:33 sub_playbook_key',
      '4:11 sub_playbook_key',
      '5:1 sub_playbook_key',
      '7:1 sub_playbook_key',
    ])
  })

  test('with a misspelt alert_type is none, and only that key is wrong', () => {
    const text = `format: 1\nplaybook: a\nalert_typ: b\ncase: { severity: high }\nsteps: [{ id: b, set: { c: 1 } }]\nverdict: { summary: x }\n`
    expect(faultsOf(text)).toEqual([expect.stringMatching(/^3:1 key_unknown .*did you mean `alert_type`/)])
  })
})

test('outputs read the output of the steps', () => {
  expect(faultsOf(playbook('  - { id: a, set: { b: 1 } }\n', "outputs: { b: '{{ vars.b }}', c: '{{ vars.c }}' }\n"))).toEqual([
    expect.stringMatching(/^4:38 var_unknown/),
  ])
})

test('finds the playbooks that a text runs, at any depth', () => {
  const text =
    'steps:\n  - { id: a, if: true, then: [{ id: b, playbook: one }] }\n  - { id: c, set: { x: 1 }, on_error: [{ id: d, playbook: two }, { id: e, playbook: one }] }\n'
  expect(playbooksNamedIn(text)).toEqual(['one', 'two'])
})
