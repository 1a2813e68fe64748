import { expect, test } from 'vitest'
import { parseYaml } from '../../../yaml/index.ts'
import { examinePlaybook } from '../compile.ts'
import { lookup, playbook } from '../testing.ts'

/** Returns the text with all fixes applied. */
function fixed(text: string): string {
  const { findings } = examinePlaybook(parseYaml(text, 'test.yaml'), lookup)
  const edits = findings.flatMap(({ fix }) => fix?.edits ?? []).toSorted((a, b) => b.start - a.start)
  return edits.reduce((so, { start, end, text: put }) => so.slice(0, start) + put + so.slice(end), text)
}

test.each([
  ['a key', 'limits: { tme: 10m }', 'limits: { time: 10m }'],
  ['a word', 'case: { severity: hihg }', 'case: { severity: high }'],
  ['an integration', 'connections: { idp: { integration: mffa } }', 'connections: { idp: { integration: mfa } }'],
])('a fix corrects %s', (_what, wrong, right) => {
  const steps = '  - { id: a, stop: { outcome: failed } }\n'
  expect(fixed(playbook(steps, `${wrong}\n`))).toBe(playbook(steps, `${right}\n`))
})

test.each([
  ['a kind', 'skil: mail.search', 'skill: mail.search'],
  ['a skill', 'skill: mail.serch', 'skill: mail.search'],
  ['an input of a skill', 'skill: mfa.get_user\n    with: { usernam: x }', 'skill: mfa.get_user\n    with: { username: x }'],
  ['a filter', "case: { note: '{{ inputs.user | upcas }}' }", "case: { note: '{{ inputs.user | upcase }}' }"],
  ['an input', "case: { note: 'of {{ inputs.usr }}' }", "case: { note: 'of {{ inputs.user }}' }"],
  [
    'a path of a condition',
    'if: { "!!": [{ var: [inputs.usr, 0] }] }\n    case: { note: x }',
    'if: { "!!": [{ var: [inputs.user, 0] }] }\n    case: { note: x }',
  ],
  ['an operator', 'if: { start_with: [a, b] }\n    case: { note: x }', 'if: { starts_with: [a, b] }\n    case: { note: x }'],
])('%s in a step too', (_what, wrong, right) => {
  const above = 'inputs: { user: { type: string } }\n'
  expect(fixed(playbook(`  - id: a\n    ${wrong}\n`, above))).toBe(playbook(`  - id: a\n    ${right}\n`, above))
})

test('has no fix if two names may be meant, or the name occurs twice', () => {
  const two = playbook("  - { id: a, case: { note: '{{ inputs.usex }}' } }\n", 'inputs: { user: { type: string }, used: { type: string } }\n')
  expect(fixed(two)).toBe(two)
  const twice = playbook("  - { id: a, case: { note: 'usr {{ inputs.usr }}' } }\n", 'inputs: { user: { type: string } }\n')
  expect(fixed(twice)).toBe(twice)
})
