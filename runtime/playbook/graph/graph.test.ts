import { expect, test } from 'vitest'
import { compile, playbook } from '../compile/testing.ts'
import type { Plan } from '../plan.ts'
import { graphOf, nodeOf } from './graph.ts'

const none = () => null
const suspend = 'skill: mfa.suspend_user, with: { username: ada }'
const edgesOf = (plan: Plan): string[] =>
  graphOf(plan, none).edges.map(
    ({ from, to, kind, label }) => `${from ?? 'begin'} -${kind}${label === null || label === kind ? '' : ` (${label})`}-> ${to ?? 'end'}`,
  )
const drawn = (steps: string): string[] => edgesOf(compile(playbook(steps)))

test('an `if` leads through its branches, and past an empty one', () => {
  expect(
    drawn(`
  - id: decide
    if: { '>=': [{ var: alert.content.denied }, 5] }
    then:
      - { id: note, case: { note: a } }
  - { id: end, stop: { outcome: completed } }`),
  ).toEqual(['begin -next-> decide', 'decide -then-> decide/note', 'decide/note -next-> end', 'decide -else-> end', 'end -stop-> end'])
})

test('a `stop` with an `if` can be passed, and so can a skipped branch', () => {
  expect(
    drawn(`
  - { id: quit, if: { '==': [{ var: alert.content.a }, 1] }, stop: { outcome: completed } }
  - id: choose
    if: { '==': [{ var: alert.content.b }, 1] }
    switch:
      - when: { '==': [{ var: alert.content.kind }, mail] }
        steps: [{ id: mail, case: { note: mail } }]
  - { id: last, case: { note: b } }`),
  ).toEqual([
    'begin -next-> quit',
    'quit -stop-> end',
    'quit -skipped-> choose',
    'choose -case (alert.content.kind == "mail")-> choose/mail',
    'choose/mail -next-> last',
    'choose -no_case (no case)-> last',
    'choose -skipped-> last',
    'last -next-> end',
  ])
})

test('loops, branches and error handlers have the addresses of runs', () => {
  const graph = graphOf(
    compile(
      playbook(`
  - id: each
    foreach: '{{ alert.content.users }}'
    as: user
    max_items: 5
    steps:
      - { id: act, ${suspend}, on_error: [{ id: tell, case: { note: failed } }] }
  - id: both
    parallel:
      branches:
        one: [{ id: first, case: { note: a } }]
        two: [{ id: second, case: { note: b } }]`),
    ),
    none,
  )
  expect(graph.nodes.map(({ address, parent, part }) => [address, parent, part?.of ?? null])).toEqual([
    ['each', null, null],
    ['each/*/act', 'each', 'each'],
    ['each/*/act/on_error/tell', 'each/*/act', 'on_error'],
    ['both', null, null],
    ['both/one/first', 'both', 'branch'],
    ['both/two/second', 'both', 'branch'],
  ])
  expect(graph.nodes[0]).toMatchObject({ detail: 'for each user, at most 5', onError: 'fail', line: 5 })
  expect(graph.nodes[1]).toMatchObject({ skill: 'mfa.suspend_user', onError: 'steps' })
  expect(graph.edges.filter(({ from }) => from?.startsWith('both'))).toEqual([
    { from: 'both', to: 'both/one/first', kind: 'branch', label: 'one', index: null },
    { from: 'both', to: 'both/two/second', kind: 'branch', label: 'two', index: null },
    { from: 'both/one/first', to: null, kind: 'next', label: null, index: null },
    { from: 'both/two/second', to: null, kind: 'next', label: null, index: null },
  ])
  expect(['each/12/act/on_error/tell', 'each/0/act', 'both/one/first'].map(nodeOf)).toEqual([
    'each/*/act/on_error/tell',
    'each/*/act',
    'both/one/first',
  ])
})

test('sub-playbooks that run each other many times are drawn up to a limit', () => {
  const subs: Plan[] = [
    { ...compile(playbook(Array.from({ length: 20 }, (_, at) => `  - { id: s${at}, case: { note: a } }\n`).join(''))), name: 'leaf' },
  ]
  for (let level = 0; level < 8; level += 1) {
    const plan = compile(playbook('  - { id: a, case: { note: a } }\n  - { id: b, case: { note: a } }\n'))
    const below = subs.at(-1) as Plan
    subs.push({
      ...plan,
      name: `level_${level}`,
      steps: plan.steps.map((step) => ({ ...step, kind: 'playbook', playbook: below, with: null as never })),
    })
  }
  const { nodes } = graphOf(subs.at(-1) as Plan, none)
  expect(nodes.length).toBeLessThanOrEqual(1_600)
  expect(nodes.some(({ collapsed }) => collapsed)).toBe(true)
  expect(nodes.at(-1)).toMatchObject({ address: 'b', collapsed: true, playbook: null, title: 'level_6' })
})
