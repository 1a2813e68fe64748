import { describe, expect, it } from 'vitest'
import { compilePlaybook } from './compile.ts'
import { compile, faultsOf, lookup, playbook } from './testing.ts'

it('reports all faults at once, in the order of the file', () => {
  const text = `format: 1
playbook: Bad Name
alert_type: x
inputs:
  user: { type: strng, from: [contnt.user] }
  id: { type: string, from: [{ pattern: '(' }] }
connections: { idp: { integration: mfaa } }
limits: { time: soon }
steps:
  - id: a
    skil: mfa.get_user
  - id: a
    skill: mfa.get_usr
  - id: b
    skill: mfa.suspend_user
    if: { '==': [{ var: vars.x }] }
    with: { user: 'q {{ inputs.usr }} {{ steps.c.output | upcas }}' }
  - id: c
    case: { severity: hgh }
`
  expect(faultsOf(text)).toEqual([
    '2:11 playbook: must be 1 to 100 lower-case letters (a-z), digits, `-` and `_`, and must begin with a letter or digit',
    '5:17 inputs.user.type: must be one of `string`, `integer`, `number`, `boolean`, `array`, `object`; did you mean `string`?',
    '5:31 inputs.user.from.0: must be a path into the JSON content, such as content.user.email',
    '6:41 inputs.id.from.0.pattern: the pattern cannot be used: error parsing regexp: missing closing ): `(`',
    '7:36 connections.idp.integration: there is no integration `mfaa`; did you mean `mfa`?',
    '8:17 limits.time: must be a duration of more than 0, such as 500ms, 30s, 10m, 4h, 1d',
    '11:5 steps.0.skil: `skil` is not a step kind; did you mean `skill`?',
    '12:9 steps.1.id: line 10 already has a step with the id `a`; ids are unique in a playbook',
    '13:12 steps.1.skill: mfa has no skill `get_usr`; did you mean `get_user`?',
    '16:17 steps.2.if.==: `==` takes 2 arguments, not 1',
    '17:11 steps.2.with: the skill needs the input `username`',
    '17:13 steps.2.with.user: the skill has no input `user`; did you mean `username`?',
    '17:39 steps.2.with.user: there is no filter `upcas`; did you mean `upcase`?',
    '19:23 steps.3.case.severity: must be one of `unassigned`, `informational`, `low`, `medium`, `high`, `critical`; did you mean `high`?',
  ])
})

it('reports a code in `retry.on` that neither Tocsin nor the integration has', () => {
  const retry = (skill: string, on: string): string[] =>
    faultsOf(playbook(`  - id: a\n    skill: ${skill}\n    with: { username: x }\n    retry: { attempts: 2, on: [${on}] }\n`))
  expect(retry('mfa.get_user', 'network, user_unknown')).toEqual([])
  expect(retry('mfa.get_user', 'network, rate_limitd')).toEqual([
    '8:41 steps.0.retry.on.1: there is no error code `rate_limitd`; did you mean `rate_limited`?',
  ])
  expect(retry('mail.search', 'user_unknown')).toEqual(['8:32 steps.0.retry.on.0: there is no error code `user_unknown`'])
})

// The API refuses such types, so no alert has them.
it.each([
  '"a\\tb"',
  '"a\\x1bb"',
  '"a\\nb"',
  '"\\x85a"',
  '"a\\x7f"',
  '"\\0"',
  '" \\t "',
  '" "',
  '""',
  '"a\\ud800"',
  '"\\u200b"',
  '" \\u200d\\ufeff\\u3164"',
])('refuses the alert type %s', (type) => {
  const steps = 'steps: [{ id: a, set: { b: 1 } }]\n'
  const told = 'must be an alert type: one line of 1 to 200 characters, at least one visible and none a control character or line separator'
  expect(faultsOf(`format: 1\nplaybook: x\nalert_type: ${type}\n${steps}`)).toEqual([`3:13 alert_type: ${told}`])
  expect(faultsOf(`format: 1\nplaybook: x\nalert_type: [a, ${type}]\n${steps}`)).toEqual([`3:17 alert_type.1: ${told}`])
})

it.each(['Odd Login', '" a b "', 'ÄÖ-日本/😀', '"a\\u00a0b"', '👩\u200d💻', '❤\ufe0f', 'نام\u200cها', '"\\u200ba"'])(
  'takes the alert type %s',
  (type) => {
    expect(faultsOf(`format: 1\nplaybook: x\nalert_type: ${type}\nsteps: [{ id: a, set: { b: 1 } }]\n`)).toEqual([])
  },
)

it('puts the first fault into the message, and the number of the others', () => {
  expect(() => compile(playbook('  - { id: a, skil: x }\n  - { id: b, skil: x }\n'))).toThrow(
    expect.objectContaining({
      code: 'playbook_invalid',
      message: 'test.yaml:5:14: steps.0.skil: `skil` is not a step kind; did you mean `skill`? (and 1 more)',
    }),
  )
})

describe('an unknown kind', () => {
  it.each(['fetch: mfa.get_user', 'unless: {}'])('is an error at its key, with the list of kinds: %s', (kind) => {
    const [fault] = faultsOf(playbook(`  - id: a\n    ${kind}\n`))
    expect(fault).toMatch(/^6:5 steps\.0\.\w+: `\w+` is not a step kind; the kinds are skill, set, if with then, .*approve$/)
  })

  it.each([
    ['loop: []', '`loop` is not a step kind; did you mean `foreach`?'],
    ['uses: mfa.get_user', '`uses` is not a step kind; did you mean `skill`?'],
    ['register: user', '`register` is not a step kind; read the result of a step as `steps.<id>.output`; `set` stores a value under a name'],
  ])('that other products have is told what does it here: %s', (kind, told) => {
    expect(faultsOf(playbook(`  - id: a\n    ${kind}\n`))[0]).toContain(told)
  })

  it('is an error at the step if it has no key at all', () => {
    expect(faultsOf(playbook('  - id: a\n    if: true\n'))).toEqual([
      expect.stringMatching(/^5:5 steps\.0: this step has no kind; the kinds are skill, .*approve$/),
    ])
  })

  it('is an error if the step has two kinds', () => {
    expect(faultsOf(playbook('  - id: a\n    set: { x: 1 }\n    skill: mfa.get_user\n'))).toEqual([
      '6:5 steps.0.set: `set` is not a key here; a step has one kind, and this one is `skill`',
    ])
  })
})

it('refuses unknown sections, with their position', () => {
  const text = playbook('  - { id: a, stop: { outcome: failed } }\n', 'limits: { impact: { hihg: 1 } }\ncase: { jion: { key: x } }\n')
  expect(faultsOf(text).map((fault) => fault.split(':').slice(0, 2).join(':'))).toEqual(['4:21 limits.impact.hihg', '5:9 case.jion'])
})

it('checks steps inside a step that is wrong', () => {
  const text = playbook(`
  - id: a
    if: { bogus: 1 }
    nonsense: 1
    then:
      - { id: b, skill: mfa.get_usr }
  - id: c
    foreach: '{{ steps.a.output }}'
    steps:
      - { id: d, case: { note: '{{ item.x }} {{ itm.x }}' } }
`)
  expect(faultsOf(text)).toEqual([
    '7:5 steps.0.nonsense: `nonsense` is not a key here; the keys are id, if, then, else, on_error',
    '9:25 steps.0.then.0.skill: mfa has no skill `get_usr`; did you mean `get_user`?',
    '10:5 steps.1.max_items: `max_items` is missing: the length of this list is not known before the run',
    '13:49 steps.1.steps.0.case.note: there is no `itm` here; did you mean `item`?',
  ])
})

it.each(['', '[]', 'steps: 1', 'steps: [1, null]', 'format: 1\ninputs: 3\nsteps: [{ id: {}, then: 5, on_error: [7] }]\nconnections: []\n'])(
  'says what is wrong with %j without stumbling',
  (text) => {
    expect(faultsOf(text).length).toBeGreaterThan(0)
  },
)

it('reports faults of the YAML with their own code', () => {
  expect(() => compilePlaybook('a: [', 'x.yaml', lookup)).toThrow(expect.objectContaining({ code: 'yaml_invalid' }))
})

it('the cost of deep nesting grows only with its size', () => {
  let steps = '[{ id: s, stop: { outcome: failed } }]'
  for (let depth = 0; depth < 22; depth += 1) steps = `[{ id: s${depth}, stop: { outcome: failed }, on_error: ${steps} }]`
  // If the kinds were tried one after the other, each level would multiply the work of the next.
  expect(faultsOf(`format: 1\nplaybook: x\nalert_type: x\nsteps: ${steps}\n`)).toEqual([])
})
