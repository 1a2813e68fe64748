import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { stepText } from './step.ts'
import { stepsText } from './steps.ts'

const step = {
  address: 'ask',
  kind: 'skill',
  playbook: null,
  line: 7,
  state: 'done',
  skill: 'mail.ask',
  connection: 'mail-prod',
  target: null,
  began_at: 60_000,
  ended_at: 61_000,
  iterations: null,
  unlisted: 0,
  alike: 0,
  tries: 1,
  attempts: [],
  input: { value: { user: 'ada' } },
  output: { value: { state: 'active' } },
  error: null,
  handled: false,
  why: [],
  decisions: [],
  warnings: [],
}
const set = { ...step, kind: 'set', skill: null, connection: null, began_at: null, ended_at: null, input: null, output: null, tries: 0 }
const part = { depth: 0, rule: 'inputs.denied >= 5', looked: true, holds: false, item: null, items: null, read: [], error: null }
const denied = { path: 'inputs.denied', value: { value: 3 } }
const because = (of: string, parts: readonly object[], rest: object = {}): object => {
  const all = parts.map((one) => ({ ...part, ...one }))
  return { of, index: null, holds: all[0]?.holds ?? null, parts: all, text: null, ...rest }
}

function lines(steps: readonly object[], details = false, page: object = {}): readonly string[] {
  const whole = { items: steps, total: steps.length, states: { done: steps.length }, note: null, inputs: null, ...page }
  return stripVTControlCharacters(stepsText(whole, { run: 'u-r1', details })).split('\n')
}
const tree = (...steps: readonly object[]): readonly string[] => lines(steps).slice(2)
const detail = (one: object): readonly string[] => lines([one], true).slice(2)

test('above the steps it shows their number, what is not known, and the inputs of the playbook', () => {
  const inputs = { denied: { value: 3 }, rows: { beginning: '[{"id":1' } }
  expect(lines([step], false, { states: { failed: 1, done: 3, in_doubt: 2 }, total: 6, note: 'It is gone.', inputs })).toEqual([
    'Steps: 3 done, 1 failed, 2 in doubt',
    '! It is gone.',
    'Inputs: denied = 3, rows = [{"id":1…',
    '',
    '00:01:00  ask  mail.ask via mail-prod  done',
    '',
    '5 more steps: use --limit 6, --within <step> or --failed',
  ])
  expect(lines([], false, { states: {}, inputs: {} })).toEqual(['No step has been reached.', ''])
})

describe('a step says why on one line', () => {
  test('a skipped step shows the parts of its condition that decided, with their values', () => {
    const parts = [
      { rule: 'inputs.denied >= 5 and inputs.user' },
      { depth: 1, read: [denied] },
      { depth: 1, rule: 'inputs.user', looked: false, holds: null },
    ]
    expect(tree({ ...set, state: 'skipped', why: [because('if', parts)] })).toEqual([
      '          ask  set  skipped: inputs.denied >= 5 is false (it is 3)',
    ])
    const bound = because('if', [{ rule: 'connections.crm.bound', read: [{ path: 'connections.crm.bound', value: { value: false } }] }])
    expect(tree({ ...set, state: 'skipped', why: [bound] })).toEqual(['          ask  set  skipped: connections.crm.bound is false'])
    const user = { depth: 1, rule: 'inputs.user', holds: true, read: [{ path: 'inputs.user', value: { value: 'ada' } }] }
    expect(tree({ ...set, state: 'skipped', why: [because('if', [{ rule: 'not inputs.user' }, user])] })).toEqual([
      '          ask  set  skipped: not inputs.user is false (inputs.user = "ada")',
    ])
    const missing = because('if', [{ ...user, depth: 0, holds: false, read: [{ path: 'inputs.user', value: null }] }])
    expect(tree({ ...set, state: 'skipped', why: [missing] })).toEqual(['          ask  set  skipped: inputs.user is missing, which counts as false'])
    const unshown = because('if', [{ holds: null, error: 'is not shown: that takes too much work', read: [denied] }])
    expect(tree({ ...set, state: 'skipped', why: [unshown] })).toEqual([
      '          ask  set  skipped: inputs.denied >= 5 is not shown: that takes too much work (it is 3)',
    ])
    const left = because('left_out', [], { text: 'the branch b had ended' })
    expect(tree({ ...set, state: 'skipped', why: [left] })).toEqual(['          ask  set  skipped: the branch b had ended'])
  })

  test('it shows which branch was taken, and which value was missing', () => {
    const test = because('test', [{ rule: 'vars.a == vars.b', holds: true, read: [{ path: 'vars.a', value: null }, denied] }])
    expect(tree({ ...set, kind: 'if', why: [test] })).toEqual([
      '          ask  if  yes: vars.a == vars.b is true (vars.a = missing, inputs.denied = 3)',
    ])
    const cases = [because('case', [{}], { index: 0 }), because('case', [{ rule: 'vars.b', holds: true }], { index: 1 })]
    expect(tree({ ...set, kind: 'switch', why: cases })).toEqual(['          ask  switch  took case 2: vars.b is true'])
    expect(tree({ ...set, kind: 'switch', why: [because('case', [], { index: 2, text: 'the default' })] })).toEqual([
      '          ask  switch  took the default',
    ])
  })

  test('for a list it shows the item that decided, or the number of items', () => {
    const some = { rule: 'some(vars.boxes: vip)', holds: true }
    const list = { depth: 1, rule: 'vars.boxes', holds: true, items: 4, read: [{ path: 'vars.boxes', value: { beginning: '[{' } }] }
    const item = { depth: 1, rule: 'vip', holds: true, item: { number: 2, of: 4 }, read: [{ path: 'vip', value: { value: 'yes' } }] }
    expect(tree({ ...set, kind: 'if', why: [because('test', [some, list, item])] })).toEqual([
      '          ask  if  yes: vip is "yes" for item 2 of 4, which counts as true',
    ])
    expect(tree({ ...set, state: 'skipped', why: [because('if', [{ ...some, holds: false }, list])] })).toEqual([
      '          ask  set  skipped: some(vars.boxes: vip) is false (4 items, vars.boxes = [{…)',
    ])
  })

  test('it shows what failed and whether the playbook went on, what is in doubt, and what was retried', () => {
    const error = { code: 'forbidden', message: 'The role lacks it.', remedy: 'Give it the role.', step: 'ask' }
    expect(tree({ ...step, state: 'failed', error, handled: true })).toEqual([
      '00:01:00  ask  mail.ask via mail-prod  FAILED (handled by on_error): forbidden: The role lacks it.',
    ])
    // The containing step says where it failed; the inner step says what failed.
    expect(tree({ ...set, kind: 'foreach', state: 'failed', error: { ...error, step: 'ask/0/it' } })).toEqual([
      '          ask  foreach  FAILED: forbidden at ask/0/it',
    ])
    expect(tree({ ...step, state: 'in_doubt', target: 'ada' })).toEqual([
      '00:01:00  ask  mail.ask on ada via mail-prod  IN DOUBT: sent, outcome unknown',
    ])
    expect(tree({ ...step, tries: 3 })).toEqual(['00:01:00  ask  mail.ask via mail-prod  done after 3 tries'])
  })

  test('it shows that it waits for people, and what they answered', () => {
    const open = { id: 'd', state: 'open', title: 'Suspend ada?', answers: [] }
    const asking = { ...set, kind: 'approve', began_at: 60_000 }
    expect(tree({ ...asking, state: 'waiting', decisions: [open] })).toEqual(['00:01:00  ask  approve  waits for people · tocsin decision show d'])
    const said = { ...open, state: 'declined', answers: [{ by: 'ada', verdict: 'decline', reason: 'A drill', at: 70_000 }] }
    expect(tree({ ...asking, decisions: [said] })).toEqual(['00:01:00  ask  approve  declined by ada: A drill'])
    const settled = { ...open, state: 'settled', answers: [{ by: 'ada', verdict: 'happened', reason: null, at: 70_000 }] }
    expect(tree({ ...step, decisions: [settled] })).toEqual(['00:01:00  ask  mail.ask via mail-prod  done · settled: happened by ada'])
  })
})

test('inner steps are indented below outer ones; iterations that went the same way are counted', () => {
  const each = {
    ...set,
    address: 'each',
    kind: 'foreach',
    iterations: 9,
    unlisted: 2,
    why: [because('items', [], { text: '9 items, at most 10 allowed' })],
  }
  const inner = { ...step, address: 'each/0/ask', alike: 5, warnings: ['total must be integer, and is a text'] }
  expect(tree(each, inner, { ...set, address: 'each/0/keep' }, { ...set, address: 'each/6/keep' })).toEqual([
    '          each  foreach  done · 9 items, at most 10 allowed',
    '            2 more iterations went other ways; --all lists them',
    '            0 (and 5 more like it)',
    '00:01:00      ask  mail.ask via mail-prod  done',
    '                warning total must be integer, and is a text',
    '              keep  set  done',
    '            6',
    '              keep  set  done',
  ])
})

test('with details, a step shows everything about it, one thing per line', () => {
  const parts = [
    { rule: 'inputs.denied >= 5 or not inputs.user', holds: true },
    { depth: 1, read: [denied] },
    { depth: 1, rule: 'not inputs.user', looked: false, holds: null },
  ]
  const attempts = [
    { number: 1, at: 60_000, effect: 'not_sent', code: 'network' },
    { number: 2, at: 61_000, effect: null, code: null },
  ]
  const error = { code: 'forbidden', message: 'The role lacks it.', remedy: 'Give it the role.', step: 'ask' }
  const all = {
    ...step,
    state: 'failed',
    tries: 2,
    attempts,
    error,
    output: { beginning: '{"rows":[' },
    why: [because('if', parts)],
    warnings: ['odd'],
  }
  expect(detail(all)).toEqual([
    '00:01:00  ask  mail.ask via mail-prod  FAILED after 2 tries',
    '            when      1970-01-01 00:01:00 to 1970-01-01 00:01:01',
    '            if        inputs.denied >= 5 or not inputs.user: yes',
    '                        inputs.denied >= 5: no',
    '                          inputs.denied = 3',
    '                        not inputs.user: not evaluated: an earlier part had already decided',
    '            input     {"user":"ada"}',
    '            try 1     1970-01-01 00:01:00 not sent: network',
    '            try 2     1970-01-01 00:01:01',
    '            output    {"rows":[… cut; for all of it: tocsin run show u-r1 --step ask --value output',
    '            error     forbidden: The role lacks it.',
    '                      Give it the role.',
    '            warning   odd',
  ])
})

test('a single step shows its values on several lines, its place in the playbook, and what is not known', () => {
  const shown = stepText('u-r1', { ...step, playbook: 'contain', note: 'It is gone.', address: "each/0/it's" })
  expect(stripVTControlCharacters(shown).split('\n')).toEqual([
    "each/0/it's  mail.ask via mail-prod  done  in the sub-playbook contain, line 7",
    '! It is gone.',
    '  when      1970-01-01 00:01:00 to 1970-01-01 00:01:01',
    '  input     {',
    '              "user": "ada"',
    '            }',
    '  output    {',
    '              "state": "active"',
    '            }',
  ])
  const cut = stepText('u-r1', { ...step, address: "it's", input: { beginning: '"x' } })
  expect(stripVTControlCharacters(cut)).toContain(`--step 'it'\\''s' --value input`)
})

test('text from outside cannot control the terminal', () => {
  const evil = { value: { user: '\u001b[2Ja\u202eda' } }
  const error = { code: 'x', message: '\u001b[1mno\u0007', remedy: '\u009b2J', step: 'ask' }
  const why = [because('if', [{ rule: 'a\u0007', read: [{ path: 'p\u001b[1m', value: evil }] }])]
  const nasty = {
    ...step,
    target: '\u001b[2Jx',
    connection: 'c\u0007',
    input: evil,
    output: { beginning: '\u0007' },
    error,
    why,
    warnings: ['\u0007'],
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const steering = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/
  for (const text of [lines([nasty]).join('\n'), lines([nasty], true).join('\n'), stepText('r', nasty)])
    expect(stripVTControlCharacters(text)).not.toMatch(steering)
})
