import { describe, expect, test } from 'vitest'
import { codesOf, compile, faultsOf, playbook } from '../testing.ts'

const cases = (list: string): string => playbook(`  - id: decide\n    switch:\n${list}`)
const set = (id: string, name: string): string => `- { id: ${id}, set: { ${name}: 1 } }`

describe('switch', () => {
  test('has its cases in their order, the default without a condition', () => {
    const [step] = compile(
      cases(
        `      - { when: { '==': [1, 2] }, steps: [${set('a', 'x').slice(2)}] }\n      - { default: true, steps: [${set('b', 'x').slice(2)}] }\n`,
      ),
    ).steps
    expect(step).toMatchObject({ kind: 'switch', cases: [{ steps: [{ id: 'a' }] }, { when: null, steps: [{ id: 'b' }] }] })
    expect(step?.kind === 'switch' && step.cases[0]?.when?.test({})).toBe(false)
  })

  test.each([
    [
      'a misspelt key',
      '      - { wen: true, steps: [{ id: a, stop: { outcome: failed } }] }\n',
      ['7:9 steps.0.switch.0.when: `when` is missing', '7:11 steps.0.switch.0.wen: `wen` is not a key here; did you mean `when`?'],
    ],
    [
      'a default that says false',
      '      - { default: false, steps: [{ id: a, stop: { outcome: failed } }] }\n',
      ['7:20 steps.0.switch.0.default: must be true'],
    ],
    ['a case without steps', '      - { default: true }\n', ['7:9 steps.0.switch.0.steps: `steps` is missing']],
    ['no case', '      []\n', ['7:7 steps.0.switch: must not be empty']],
  ])('%s is named', (_what, list, faults) => {
    expect(faultsOf(cases(list))).toEqual(faults)
  })

  test('checks the cases of a switch that does not fit', () => {
    expect(codesOf(cases('      - { wen: true, steps: [{ id: a, skill: mail.serch }] }\n'))).toEqual(['key_missing', 'key_unknown', 'skill_unknown'])
  })

  test('reports cases after the default', () => {
    const list = '      - { default: true, steps: [{ id: a, set: { x: 1 } }] }\n      - { when: true, steps: [{ id: b, set: { x: 1 } }] }\n'
    expect(faultsOf(cases(list))).toEqual(['7:11 steps.0.switch.0.default: the cases after `default` are never taken; put it last'])
  })

  test('later steps may read the output of its cases', () => {
    const text = `${cases('      - { when: true, steps: [{ id: a, skill: mail.search, with: { query: x } }] }\n')}  - { id: b, case: { note: '{{ steps.a.output | default: "" }}' } }\n`
    expect(faultsOf(text)).toEqual([])
  })
})

describe('parallel', () => {
  const parallel = (keys: string): string => playbook(`  - id: look\n    parallel: ${keys}\n`)
  const two = `{ one: [{ id: a, set: { x: 1 } }], two: [{ id: b, set: { y: 1 } }] }`

  test('has its branches in order, and waits for all by default', () => {
    expect(compile(parallel(`{ branches: ${two} }`)).steps[0]).toMatchObject({
      kind: 'parallel',
      join: 'all',
      rest: 'finish',
      branches: [
        { name: 'one', steps: [{ id: 'a' }] },
        { name: 'two', steps: [{ id: 'b' }] },
      ],
    })
    expect(compile(parallel(`{ join: { at_least: 2 }, rest: cancel, branches: ${two} }`)).steps[0]).toMatchObject({ join: 2, rest: 'cancel' })
    expect(compile(parallel(`{ join: any, branches: ${two} }`)).steps[0]).toMatchObject({ join: 'any' })
  })

  test.each([
    ['a join of another kind', `{ join: some, branches: ${two} }`, ['6:23 steps.0.parallel.join: must be `all` or `any` or a mapping']],
    ['a join of none', `{ join: { at_least: 0 }, branches: ${two} }`, ['6:35 steps.0.parallel.join.at_least: must be >= 1']],
    [
      'a join of more than there are',
      `{ join: { at_least: 3 }, branches: ${two} }`,
      ['6:35 steps.0.parallel.join.at_least: there are only 2 branches, and the join waits for 3'],
    ],
    ['no branch', '{ branches: {} }', ['6:27 steps.0.parallel.branches: must not be empty']],
    [
      'a branch that cannot be named',
      '{ branches: { a-b: [{ id: a, set: { x: 1 } }] } }',
      ['6:29 steps.0.parallel.branches.a-b: must be 1 to 64 of a-z, A-Z, 0-9 and `_`, and must not start with a digit'],
    ],
  ])('%s is named', (_what, keys, faults) => {
    expect(faultsOf(parallel(keys))).toEqual(faults)
  })

  test('two branches cannot set the same variable, however deep', () => {
    const deep = '{ one: [{ id: a, set: { x: 1 } }], two: [{ id: b, if: true, then: [{ id: c, set: { y: 1, x: 2 } }] }] }'
    expect(faultsOf(parallel(`{ branches: ${deep} }`))).toEqual([
      '6:116 steps.0.parallel.branches.two.0.then.0.set.x: the branch `one` sets `x` too, at the same time; use another name in one of them',
    ])
  })

  test('one branch may set a variable twice, and steps after another one', () => {
    const text = `${parallel('{ branches: { one: [{ id: a, set: { x: 1 } }, { id: b, set: { x: 2 } }] } }')}  - { id: c, set: { x: 3 } }\n`
    expect(faultsOf(text)).toEqual([])
  })

  test('a branch does not see the output of another branch, but later steps do', () => {
    const read = (id: string): string => `case: { note: "{{ steps.${id}.status }}" }`
    const text = playbook(
      `  - id: look\n    parallel:\n      branches:\n        one: [{ id: a, set: { x: 1 } }]\n        two: [{ id: b, ${read('a')} }]\n  - { id: c, ${read('a')} }\n`,
    )
    expect(faultsOf(text)).toEqual([
      '9:42 steps.0.parallel.branches.two.0.case.note: step `a` has not run before this: it is this step, a later one, or in another branch',
    ])
  })

  test('a concurrent loop cannot set a variable in a branch either', () => {
    const text = playbook(
      `  - id: each\n    foreach: [1, 2]\n    concurrency: 2\n    steps:\n      - id: look\n        parallel: { branches: ${two} }\n`,
    )
    expect(codesOf(text)).toEqual(['loop_sets_var', 'loop_sets_var'])
  })
})
