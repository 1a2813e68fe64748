import { describe, expect, test } from 'vitest'
import { findingsIn, messagesIn } from '../../testing.ts'

const inputs = 'inputs: { user: { type: string, from: [content.user], default: ada } }\n'
const guarded = `
  - id: look
    if: { '!=': [{ var: inputs.user }, ''] }
    skill: mfa.get_user
    with: { username: ada }
`
const say = (text: string, more = ''): string => `  - id: say\n${more}    case: { note: '${text}' }\n`

describe('a step with an `if`', () => {
  test('may not have run after it', () => {
    expect(findingsIn(guarded + say('{{ steps.look.output.name }}'), inputs)).toEqual(['11:23 step_may_not_have_run'])
    expect(messagesIn(guarded + say('{{ steps.look.output.name }}'), inputs)).toEqual([
      "`steps.look.output` may be missing: step `look` (line 6) is skipped if its `if` (line 7) is false; give it a default (`| default: …`), or read it in a step with `if: { '==': [{ var: [steps.look.status, ''] }, done] }`",
    ])
  })

  test.each([
    ['a default', say('{{ steps.look.output.name | default: 0 }}')],
    ['a question before', say('{% if steps.look.output %}{{ steps.look.output.name }}{% endif %}')],
    ['its status alone', say('{{ steps.look.status }}')],
    ['the same condition', say('{{ steps.look.output.name }}', "    if: { '!=': [{ var: inputs.user }, ''] }\n")],
    ['the same condition, written otherwise', say('{{ steps.look.output.name }}', "    if: { '!': { '==': ['', { var: inputs.user }] } }\n")],
    ['a condition with it and another', say('{{ steps.look.output.name }}', "    if: { and: [true, { '!=': [{ var: inputs.user }, ''] }] }\n")],
    ['its status asked for', say('{{ steps.look.output.name }}', "    if: { '==': [{ var: steps.look.status }, done] }\n")],
    ['its output asked for', say('{{ steps.look.output.name }}', "    if: { '!=': [{ var: [steps.look.output, null] }, null] }\n")],
    ['what it gave asked for', say('{{ steps.look.output.name }}', "    if: { '==': [{ var: [steps.look.output.name, ''] }, ada] }\n")],
  ])('is there after %s', (_name, steps) => {
    expect(findingsIn(guarded + steps, inputs)).toEqual([])
  })

  test.each([
    ['of another input', "    if: { '!=': [{ var: alert.alert_name }, ''] }\n"],
    ['that is the opposite', "    if: { '==': [{ var: inputs.user }, ''] }\n"],
    ['that holds when it is missing', "    if: { '==': [{ var: [steps.look.output.name, ''] }, ''] }\n"],
    ['of which either may hold', "    if: { or: [{ '!=': [{ var: inputs.user }, ''] }, { var: alert.alert_id }] }\n"],
  ])('is not there for a condition %s', (_name, condition) => {
    expect(findingsIn(guarded + say('{{ steps.look.output.name }}', condition), inputs)).toEqual(['12:23 step_may_not_have_run'])
  })
})

describe('the condition of a poll', () => {
  const poll = (until: string, more = ''): string => `  - id: gone
${more}    wait:
      poll: { skill: mfa.get_user, with: { username: ada } }
      every: 1m
      until: ${until}
      at_most: 5m
`
  test('reads what may be missing like any other condition', () => {
    expect(findingsIn(guarded + poll('{ var: steps.look.output.name }'), inputs)).toEqual(['14:21 step_may_not_have_run'])
    const later = '  - id: later\n    set: { found: a }\n'
    expect(findingsIn(guarded + poll('{ "==": [{ var: vars.found }, a] }') + later, inputs)).toEqual(['14:30 var_may_not_be_set'])
  })

  test.each([
    ['reads its own answer', poll('{ "==": [{ var: output.name }, ada] }')],
    ['has a default', poll('{ "==": [{ var: [steps.look.output.name, ""] }, ada] }')],
    [
      'is asked only if the value is there',
      poll('{ "==": [{ var: steps.look.output.name }, ada] }', "    if: { '==': [{ var: steps.look.status }, done] }\n"),
    ],
  ])('is right if it %s', (_name, steps) => {
    expect(findingsIn(guarded + steps, inputs)).toEqual([])
  })
})

describe('branches', () => {
  const branches = (then: string, otherwise: string): string => `
  - id: which
    if: { '==': [{ var: alert.alert_name }, a] }
    then:
      - ${then}
    else:
      - ${otherwise}
`
  test('the output of one branch may be missing after both', () => {
    const steps = branches('{ id: look, skill: mfa.get_user, with: { username: ada } }', '{ id: other, case: { note: x } }')
    expect(findingsIn(`${steps}${say('{{ steps.look.output.name }}')}`)).toEqual(['12:23 step_may_not_have_run'])
    expect(messagesIn(`${steps}${say('{{ steps.look.output.name }}')}`)[0]).toContain('runs in only one branch of the decision on line 6')
  })

  test('it exists if the other branch ends the run', () => {
    const steps = branches('{ id: look, skill: mfa.get_user, with: { username: ada } }', '{ id: halt, stop: { outcome: completed } }')
    expect(findingsIn(`${steps}${say('{{ steps.look.output.name }}')}`)).toEqual([])
  })

  test('the verdict is also evaluated after a `stop`', () => {
    const steps = branches('{ id: halt, stop: { outcome: completed } }', '{ id: look, skill: mfa.get_user, with: { username: ada } }')
    const verdict = "verdict: { summary: '{{ steps.look.output.name }}' }\n"
    expect(findingsIn(steps, verdict)).toEqual(['4:25 step_may_not_have_run'])
  })

  test('the verdict sees nothing of a branch of a `parallel` that stops the run', () => {
    const steps = (first: string): string => `
  - id: begin
    set: { x: 1 }
  - id: both
    parallel:
      branches:
        one: [${first}, { id: halt, if: { '==': [{ var: alert.alert_name }, a] }, stop: { outcome: completed } }]
        two: [{ id: other, case: { note: x } }]
`
    const look = '{ id: look, skill: mfa.get_user, with: { username: ada } }'
    const verdict = (path: string): string => `verdict: { summary: 'Found {{ ${path} }}' }\n`
    expect(findingsIn(steps(look), verdict('steps.look.output.name'))).toEqual(['4:31 step_may_not_have_run'])
    expect(messagesIn(steps(look), verdict('steps.look.output.name'))[0]).toContain('the run may have stopped on line 11')
    expect(findingsIn(steps('{ id: again, set: { y: 2 } }'), verdict('vars.y'))).toEqual(['4:31 var_may_not_be_set'])
    expect(findingsIn(steps(look), verdict('vars.x'))).toEqual([])
  })

  test('a variable that both branches set is set', () => {
    expect(findingsIn(branches('{ id: a, set: { x: 1 } }', '{ id: b, set: { x: 2 } }') + say('{{ vars.x }}'))).toEqual([])
    expect(findingsIn(branches('{ id: a, set: { x: 1 } }', '{ id: b, set: { y: 2 } }') + say('{{ vars.x }}'))).toEqual(['12:23 var_may_not_be_set'])
  })

  test('a condition is forgotten once a variable that it reads is set', () => {
    const steps = `
  - id: begin
    set: { on: "{{ alert.alert_name == 'a' }}" }
  - id: look
    if: { var: vars.on }
    skill: mfa.get_user
    with: { username: ada }
  - id: again
    set: { on: true }
  - id: say
    if: { var: vars.on }
    case: { note: '{{ steps.look.output.name }}' }
`
    expect(findingsIn(steps)).toEqual(['15:23 step_may_not_have_run'])
    expect(findingsIn(steps.replace('  - id: again\n    set: { on: true }\n', ''))).toEqual([])
  })
})

describe('failures', () => {
  const look = (handler: string): string => `
  - id: look
    skill: mfa.get_user
    with: { username: ada }
    on_error: ${handler}
`
  test('with `continue`, the output may be missing', () => {
    expect(findingsIn(look('continue') + say('{{ steps.look.output.name }}'))).toEqual(['10:23 step_may_not_have_run'])
    expect(findingsIn(look('fail') + say('{{ steps.look.output.name }}'))).toEqual([])
  })

  test('after a handler that stops the run, the output exists', () => {
    expect(findingsIn(look('[{ id: halt, stop: { outcome: failed } }]') + say('{{ steps.look.output.name }}'))).toEqual([])
    expect(findingsIn(look('[{ id: note, case: { note: x } }]') + say('{{ steps.look.output.name }}'))).toEqual(['10:23 step_may_not_have_run'])
  })

  test('a default for the error is right only where the step may have failed', () => {
    const read = say('{{ steps.look.error.code | default: "none" }}')
    expect(findingsIn(look('continue') + read)).toEqual([])
    expect(findingsIn(look('[{ id: note, case: { note: x } }]') + read)).toEqual([])
    expect(findingsIn(look('fail') + read)).toEqual(['10:23 step_error_never'])
    expect(findingsIn(look('continue') + say('{% if steps.look.error %}x{% endif %}'))).toEqual([])
    expect(findingsIn(look('fail') + say('{% if steps.look.error %}x{% endif %}'))).toEqual(['10:26 step_error_never'])
  })

  test('the error exists in the handler, and after it if the status was checked', () => {
    expect(findingsIn(look("[{ id: note, case: { note: '{{ steps.look.error.code }}' } }]"))).toEqual([])
    expect(findingsIn(look('continue') + say('{{ steps.look.error.code }}'))).toEqual(['10:23 step_error_may_be_missing'])
    expect(findingsIn(look('continue') + say('{{ steps.look.error.code }}', "    if: { '==': [{ var: steps.look.status }, failed] }\n"))).toEqual([])
  })
})

describe('a variable remembers what happened', () => {
  const begin = (value: string): string => `
  - id: begin
    set: { state: ${value} }
`
  const look = (handler: string): string => `  - id: look
    skill: mfa.get_user
    with: { username: ada }
    on_error: ${handler}
`
  const kept = (value: string): string => look(`[{ id: keep, set: { state: ${value} } }]`)
  const read = (condition: string): string => say('{{ steps.look.output.name }}', `    if: ${condition}\n`)

  test.each([
    ['is true', begin('true') + kept('false') + read('{ var: vars.state }')],
    ['is not false', begin('false') + kept('true') + read("{ '!': { var: vars.state } }")],
    ['is a text', begin('fine') + kept('broken') + read("{ '==': [{ var: vars.state }, fine] }")],
    ['is not a text', begin('fine') + kept('broken') + read("{ '!=': [{ var: vars.state }, broken] }")],
    ['is not set', `\n${kept('broken')}${read("{ '==': [{ var: [vars.state, ''] }, ''] }")}`],
    ['and another', begin('true') + kept('false') + read('{ and: [{ var: alert.alert_name }, { var: vars.state }] }')],
    [
      'has not ended the run',
      `${begin('true')}${kept('false')}  - { id: end, if: { '!': { var: vars.state } }, stop: { outcome: failed } }\n${say('{{ steps.look.output.name }}')}`,
    ],
    [
      'is set once the step is done',
      `${begin('false')}${look('continue')}  - { id: keep, if: { '==': [{ var: steps.look.status }, done] }, set: { state: true } }\n${read('{ var: vars.state }')}`,
    ],
    [
      'tells of a step that ran after the other',
      `${begin('false')}${look('continue')}  - { id: use, if: { '==': [{ var: steps.look.status }, done] }, skill: mfa.get_user, with: { username: ada }, on_error: continue }
  - { id: keep, if: { '==': [{ var: steps.use.status }, done] }, set: { state: true } }\n${read('{ var: vars.state }')}`,
    ],
  ])('so a read is right if it %s', (_name, steps) => {
    expect(findingsIn(steps)).toEqual([])
  })

  test.each([
    ['is set again', `${begin('true')}${kept('false')}  - { id: again, set: { state: true } }\n${read('{ var: vars.state }')}`],
    ['has the same value on both paths', begin('fine') + kept('fine') + read("{ '==': [{ var: vars.state }, fine] }")],
    ['has a value that is not known', begin('fine') + kept("'{{ alert.alert_name }}'") + read("{ '==': [{ var: vars.state }, fine] }")],
    ['has the value of the handler', begin('true') + kept('false') + read("{ '==': [{ var: vars.state }, false] }")],
  ])('but not if it %s', (_name, steps) => {
    const codes = findingsIn(steps).map((found) => found.split(' ')[1])
    expect(codes).toContain('step_may_not_have_run')
  })

  test('of an earlier iteration it tells nothing about this one', () => {
    const steps = `
  - id: begin
    set: { on: false }
  - id: look
    if: { var: vars.on }
    skill: mfa.get_user
    with: { username: ada }
  - id: each
    foreach: [a, b]
    steps:
      - id: say
        if: { var: vars.on }
        case: { note: '{{ steps.look.output.name }}' }
      - id: again
        set: { on: true }
`
    expect(findingsIn(steps)).toContain('16:27 step_may_not_have_run')
  })
})

describe('a condition that decides', () => {
  const both = `
  - id: look
    if: { '!=': [{ var: inputs.user }, ''] }
    skill: mfa.get_user
    with: { username: ada }
    on_error: continue
`
  test('knows what was asked by `missing`', () => {
    expect(findingsIn(both + say('{{ steps.look.output.name }}', "    if: { '!': { missing: [steps.look.output] } }\n"), inputs)).toEqual([])
    expect(findingsIn(both + say('{{ steps.look.output.name }}', '    if: { missing: [steps.look.output] }\n'), inputs)).toEqual([
      '13:23 step_may_not_have_run',
    ])
  })

  test('is not the opposite of its value if a default of null differs from it', () => {
    const asked = 'inputs: { asked: { type: boolean, from: [content.asked] } }\n'
    const steps = (condition: string): string => `
  - id: look
    if: { var: [inputs.asked, false] }
    skill: mfa.get_user
    with: { username: ada }
${say('{{ steps.look.output.name }}', `    if: ${condition}\n`)}`
    // It holds for a missing value, too.
    expect(findingsIn(steps("{ '!=': [{ var: [inputs.asked, null] }, false] }"), asked)).toEqual(['12:23 step_may_not_have_run'])
    expect(findingsIn(steps("{ '!=': [{ var: [inputs.asked, false] }, false] }"), asked)).toEqual([])
  })

  test('differs from each value of a list that it is not in', () => {
    const steps = (condition: string): string => `
  - id: look
    if: { '!=': [{ var: [inputs.user, null] }, ''] }
    skill: mfa.get_user
    with: { username: ada }
${say('{{ steps.look.output.name }}', `    if: ${condition}\n`)}`
    expect(findingsIn(steps("{ '!': { in: [{ var: [inputs.user, null] }, ['', ada]] } }"), inputs)).toEqual([])
    expect(findingsIn(steps("{ in: [{ var: [inputs.user, null] }, ['', ada]] }"), inputs)).toEqual(['12:23 step_may_not_have_run'])
  })

  test('contradicts itself in a part, so only the other part counts', () => {
    const state = '\n  - id: begin\n    set: { ok: true }\n'
    const look = '  - id: look\n    skill: mfa.get_user\n    with: { username: ada }\n    on_error: [{ id: keep, set: { ok: false } }]\n'
    const either = "    if: { or: [{ var: vars.ok }, { '==': [{ var: steps.look.status }, done] }] }\n"
    expect(findingsIn(state + look + say('{{ steps.look.output.name }}', either))).toEqual([])
  })

  test('has not read a part that it did not evaluate', () => {
    const lazy = "{ if: [{ '!=': [{ var: steps.look.status }, done] }, true, { '==': [{ var: steps.look.output.name }, ada] }] }"
    expect(findingsIn(both + say('{{ steps.look.output.name }}', `    if: ${lazy}\n`), inputs)).toEqual(['13:23 step_may_not_have_run'])
  })

  test('says nothing in the `on_error` of its step if it may have failed itself', () => {
    const failing = "{ and: [{ '>': [{ var: [alert.content.n, 0] }, 3] }, { '==': [{ var: steps.look.status }, done] }] }"
    const steps = (condition: string): string => `${both}  - id: use
    if: ${condition}
    skill: mfa.get_user
    with: { username: ada }
    on_error: [{ id: told, case: { note: '{{ steps.look.output.name }}' } }]
`
    expect(findingsIn(steps(failing), inputs)).toEqual(['15:46 step_may_not_have_run'])
    expect(findingsIn(steps("{ '==': [{ var: steps.look.status }, done] }"), inputs)).toEqual([])
  })
})

describe('loops', () => {
  test('a variable set in a loop may be missing if the loop may have no items', () => {
    const loop = (list: string): string => `
  - id: each
    foreach: ${list}
    steps:
      - id: keep
        set: { last: '{{ item }}' }
`
    expect(findingsIn(loop('[a, b]') + say('{{ vars.last }}'))).toEqual([])
    expect(findingsIn(loop("'{{ alert.content.list | default: nil | compact }}'\n    max_items: 3") + say('{{ vars.last }}'))).toEqual([
      '12:23 var_may_not_be_set',
    ])
  })

  test('an iteration sees variables of earlier iterations, but not their steps', () => {
    const loop = `
  - id: each
    foreach: [a, b]
    steps:
      - id: say
        case: { note: '{{ vars.last }}' }
      - id: keep
        set: { last: '{{ item }}' }
`
    expect(findingsIn(loop)).toEqual(['9:27 var_may_not_be_set'])
  })
})

test('conditions need a default, unless an earlier part of an `and` checked the value', () => {
  const look = '\n  - id: look\n    skill: mfa.get_user\n    with: { username: ada }\n    on_error: continue\n'
  expect(findingsIn(look + say('x', "    if: { '==': [{ var: steps.look.output.name }, ada] }\n"))).toEqual(['10:25 step_may_not_have_run'])
  const asked = "    if: { and: [{ '==': [{ var: steps.look.status }, done] }, { '==': [{ var: steps.look.output.name }, ada] }] }\n"
  expect(findingsIn(look + say('x', asked))).toEqual([])
})
