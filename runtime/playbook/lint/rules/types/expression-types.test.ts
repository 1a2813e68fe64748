import { describe, expect, it } from 'vitest'
import { loadPluginFolders } from '../../../../plugin/index.ts'
import { playbook } from '../../../compile/testing.ts'
import { applyFixes } from '../../fix.ts'
import { lintWorld } from '../../installed.ts'
import { lintPlaybook } from '../../lint.ts'

const plugins = await loadPluginFolders([new URL('../../../../../plugins', import.meta.url).pathname])
const world = lintWorld(new Map(plugins.map((plugin) => [plugin.id, plugin])))

const above = `inputs:
  user: { type: string, format: email, from: [content.user], required: true }
  host: { type: string, from: [content.host] }
  count: { type: integer, from: [content.count], default: 0 }
  users: { type: array, items: { type: string }, from: [content.users], required: true }
`
const look = `
  - id: look
    skill: mfa.get_mfa_user_details
    with: { username: '{{ inputs.user }}' }
`
const findings = (steps: string) => lintPlaybook(playbook(`${look}${steps}`, above), 'x.yaml', world).filter(({ code }) => code !== 'input_unused')
/** Each finding as the text at its place, and its code. */
const places = (steps: string): string[] => {
  const lines = playbook(`${look}${steps}`, above).split('\n')
  return findings(steps).map(({ code, line, column }) => `${/^['"]?[\w.]*/.exec(lines[line - 1]?.slice(column - 1) ?? '')?.[0]} ${code}`)
}
const found = (steps: string): string[] => findings(steps).map(({ code, message }) => `${code} ${message}`)
const codes = (steps: string): string[] => findings(steps).map(({ code }) => code)
const say = (text: string, more = ''): string => `  - id: say\n${more}    case: { note: "${text}" }\n`
const when = (rule: string): string => say('x', `    if: ${rule}\n`)

describe('what a skill gives is known to what reads it', () => {
  it.each([
    ['{{ steps.look.output.devcies | size }}', 'devcies unknown_member'],
    ["x {{ steps.look.output.devices | map: 'nickname' | upcase }}", 'upcase filter_input'],
    ['x {{ steps.look.output.firstName }}', 'steps.look.output.firstName value_may_be_missing'],
    ['{{ steps.look.output.devices }}', '" text_expected'],
    ['x {{ steps.look.output.userName.first }}', 'first no_members'],
    ['x {{ run.nwo }}', 'nwo unknown_member'],
    ['x {{ organization.cod }}', 'cod unknown_member'],
    ['x {{ inputs.host }}', 'inputs.host value_may_be_missing'],
    ['x {{ alert.content.who }}', 'alert.content.who value_may_be_missing'],
    ['x {{ inputs.user | plus: 1 }}', 'plus filter_input'],
  ])('%s', (text, finding) => {
    expect(places(say(text))).toEqual([finding])
  })

  it.each([
    ['{ "==": [{ var: steps.look.output.bypass }, enbaled] }', 'enbaled value_never_equal'],
    ['{ "==": [{ var: inputs.count }, "5"] }', '" types_never_equal'],
    ['{ ">": [{ var: steps.look.output.devices }, 3] }', ' operand_type'],
    ['{ "==": [{ var: inputs.host }, x] }', 'inputs.host value_may_be_missing'],
    ['{ "==": [{ var: steps.look.status }, completed] }', 'completed value_never_equal'],
    ['{ some: [{ var: steps.look.output.devices }, { "==": [{ var: [nicknam, ""] }, x] }] }', 'nicknam unknown_member'],
    ['{ "==": [{ var: connections.mfa.bund }, true] }', 'bund unknown_member'],
  ])('in the condition %s', (rule, finding) => {
    expect(places(when(rule))).toEqual([finding])
  })

  it('puts right what is certain', () => {
    const text = playbook(`${look}${when('{ "==": [{ var: steps.look.output.bypass }, enbaled] }')}`, above)
    const fixed = applyFixes(text, (one) => lintPlaybook(one, 'x.yaml', world))
    expect(fixed.text).toBe(text.replace('enbaled', 'enabled'))
  })
})

describe('what is known on the way to a place', () => {
  it.each([
    ['an input that was asked for', say('{{ inputs.host | upcase }} x', '    if: { "!=": [{ var: [inputs.host, ""] }, ""] }\n')],
    [
      'one that was asked for around it',
      `  - id: known\n    if: { "!!": [{ var: [inputs.host, null] }] }\n    then:\n${say('x {{ inputs.host }}').replace(/^/gm, '    ')}`,
    ],
    ['a default', say("x {{ inputs.host | default: 'none' }}")],
    [
      'a variable that is a number',
      `  - { id: begin, set: { seen: 0 } }\n  - { id: more, set: { seen: '{{ vars.seen | plus: 1 }}' } }\n${when('{ ">": [{ var: vars.seen }, 0] }')}`,
    ],
    [
      'a variable that is null or an object',
      `  - { id: begin, set: { it: null } }\n  - { id: more, if: { ">": [{ var: inputs.count }, 1] }, set: { it: '{{ steps.look.output }}' } }\n${say('x {{ vars.it.status }}', '    if: { "!=": [{ var: vars.it }, null] }\n')}`,
    ],
    [
      'the error of a step that failed',
      `  - { id: other, skill: mfa.get_mfa_user_details, with: { username: x }, on_error: continue }\n${say('x {{ steps.other.error.code }}', '    if: { "==": [{ var: steps.other.status }, failed] }\n')}`,
    ],
  ])('%s', (_what, steps) => {
    expect(found(steps)).toEqual([])
  })

  it('the items of a loop, and what its iterations leave', () => {
    const loop = `
  - id: each
    foreach: '{{ steps.look.output.devices }}'
    as: device
    max_items: 20
    steps:
      - id: note
        case: { note: 'x {{ device.nicknme }}' }
`
    expect(codes(loop)).toEqual(['unknown_member'])
    expect(codes(`${loop.replace('nicknme', 'nickname')}${say("x {{ steps.each.output.items | map: 'note' | size }}")}`)).toEqual([])
    expect(codes(`${loop.replace('nicknme', 'nickname')}${say("x {{ steps.each.output.items | map: 'nte' | size }}")}`)).toEqual(['unknown_member'])
  })

  it('what a variable may be, of all that set it', () => {
    const sets = '  - { id: a, set: { state: open } }\n  - { id: b, if: { ">": [{ var: inputs.count }, 1] }, set: { state: shut } }\n'
    expect(codes(`${sets}${when('{ "==": [{ var: vars.state }, shut] }')}`)).toEqual([])
    expect(found(`${sets}${when('{ "==": [{ var: vars.state }, shutt] }')}`)).toEqual([
      'value_never_equal this is never true: the value is "open" or "shut", and never "shutt"; did you mean `shut`?',
    ])
  })
})

describe('what a skill is given', () => {
  const call = (given: string): string => `  - id: issues\n    skill: mailsec.get_mailsec_message\n    with: { ${given} }\n`
  it.each([
    ["message_id: 'x', include: [linkz]", 'skill_input_invalid'],
    ['message_id: 5', 'skill_input_invalid'],
    ['message_id: ""', 'skill_input_invalid'],
    ["message_id: '{{ inputs.count }}'", 'skill_input_type'],
    ["message_id: '{{ inputs.users }}'", 'skill_input_type'],
    ["message_id: x, include: '{{ inputs.user }}'", 'skill_input_type'],
    ["message_id: '{{ inputs.host }}'", 'skill_input_may_be_missing'],
  ])('%s', (given, code) => {
    expect(codes(call(given))).toEqual([code])
  })

  it.each([
    "message_id: '{{ inputs.user }}'",
    'message_id: x, include: [links]',
    "message_id: x, include: ['{{ inputs.user }}']",
    "message_id: '{{ alert.content.id }}'",
  ])('but %s is not wrong for certain', (given) => {
    expect(codes(call(given)).filter((code) => code !== 'skill_input_may_be_missing')).toEqual([])
  })

  it('of another kind of thing', () => {
    const steps = `
  - { id: issues, skill: mailsec.get_mailsec_issues }
  - id: each
    foreach: '{{ steps.issues.output.issues }}'
    max_items: 50
    steps:
      - { id: one, skill: mailsec.get_mailsec_message, with: { message_id: '{{ item.id }}' } }
`
    expect(found(steps)).toEqual(['skill_input_other_kind `message_id` is a mailsec message id, and this is a mailsec issue id'])
  })
})

describe('what a loop and a wait are given', () => {
  const loop = (list: string): string =>
    `  - id: each\n    foreach: "${list}"\n    max_items: 9\n    steps: [{ id: in, case: { note: 'x {{ item | json }}' } }]\n`
  it.each([
    ['{{ inputs.user }}', 'not_a_list'],
    ['{{ inputs.users | size }}', 'not_a_list'],
    ['{{ steps.look.output }}', 'not_a_list'],
    ['{{ steps.look.output.services }}', 'value_may_be_missing'],
    ['{{ steps.look.output.services | default: nil }}', 'value_may_be_null'],
    ['{{ alert.content.list }}', 'value_may_be_missing'],
  ])('%s', (list, code) => {
    expect(codes(loop(list))).toEqual([code])
  })

  it.each([
    '{{ inputs.users }}',
    '{{ steps.look.output.devices }}',
    "{{ inputs.user | split: '@' }}",
    '{{ alert.content.list | default: inputs.users }}',
  ])('but takes %s', (list) => {
    expect(codes(loop(list))).toEqual([])
  })

  it.each([
    ['"{{ inputs.users }}"', ['time_expected']],
    ['"{{ inputs.host }}"', ['value_may_be_missing']],
    ['"{{ alert.created_at_source }}"', ['value_may_be_null']],
    ['"{{ alert.created_at_source | default: run.now }}"', []],
    ['"{{ alert.content.at | default: nil }}"', []],
    ['"{{ run.now | plus: 1000 }}"', []],
  ])('until %s', (until, expected) => {
    expect(codes(`  - { id: rest, wait: { until: ${until} } }\n`)).toEqual(expected)
  })

  it('a poll reads the answer as `output`', () => {
    const poll = (path: string): string =>
      `  - { id: rest, wait: { poll: { skill: mfa.get_mfa_user_details, with: { username: ada } }, every: 1m, at_most: 1h, until: { '==': [{ var: ${path} }, enabled] } } }\n`
    expect(codes(poll('output.bypass'))).toEqual([])
    expect(codes(poll('output.bypas'))).toEqual(['unknown_member'])
  })
})

it('takes no time worth speaking of', () => {
  const steps = Array.from(
    { length: 60 },
    (_, index) => `  - { id: s${index}, if: { "==": [{ var: vars.v${index}, } , 1] }, case: { note: "x {{ steps.look.output.status }}" } }\n`,
  )
  const sets = Array.from({ length: 60 }, (_, index) => `  - { id: v${index}, set: { v${index}: '{{ inputs.count | plus: ${index} }}' } }\n`)
  expect(codes([...sets, ...steps].join('').replaceAll(', }', ' }'))).toEqual([])
})
