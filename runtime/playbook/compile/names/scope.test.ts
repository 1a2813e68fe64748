import { expect, it } from 'vitest'
import { faultsOf, playbook } from '../testing.ts'

const messages = (steps: string, above = ''): string[] => faultsOf(playbook(steps, above)).map((fault) => fault.replace(/^\S+ \S+ /, ''))
const note = (id: string, text: string): string => `  - { id: ${id}, case: { note: '${text}' } }\n`

it.each([
  ['inputs.nobody', 'there is no input `nobody`; known: user'],
  ['vars.x', 'no step sets `vars.x`'],
  ['alert.alert_idd', 'an alert has no field `alert_idd`; did you mean `alert_id`?'],
  ['connections.mfa.bound', 'there is no slot `mfa`'],
  ['steps.nobody.output', 'there is no step `nobody`'],
  ['steps.a.output', 'step `a` has not run before this: it is this step, a later one, or in another branch'],
  ['step.a', 'there is no `step` here; did you mean `steps`?'],
  ['secrets.token', 'there is no `secrets` here; known: alert, inputs, steps, vars, case, organization, connections, run'],
])('says that %s is not there', (path, message) => {
  expect(messages(note('a', `{{ ${path} }}`), 'inputs: { user: { type: string } }\n')[0]).toContain(message)
  const condition = `  - { id: a, if: { "!!": [{ var: ${path} }] }, stop: { outcome: failed } }\n`
  expect(messages(condition, 'inputs: { user: { type: string } }\n')[0]).toContain(message)
})

it('knows the roots of a step', () => {
  const text = '{{ alert.content.any.thing }} {{ organization.code }} {{ run.now }} {{ case.severity }} {{ inputs.user }}'
  expect(messages(note('a', text), 'inputs: { user: { type: string } }\n')).toEqual([])
})

it('lets a step read earlier steps, including those in branches and handlers, and itself after a failure', () => {
  const steps = `
  - id: a
    if: true
    then: [{ id: b, set: { x: 1 } }]
    else: [{ id: c, set: { x: 2 } }]
    on_error: [{ id: d, case: { note: '{{ steps.a.error.code }} {{ steps.b.status }} {{ vars.x }}' } }]
  - { id: e, case: { note: '{{ steps.b.output.x | default: "" }}{{ steps.c.status | default: "" }}{{ steps.d.status | default: "" }}' } }
`
  expect(messages(steps)).toEqual([])
})

it('keeps the branches apart', () => {
  const steps = `
  - id: a
    if: true
    then: [{ id: b, set: { x: 1 } }]
    else: [{ id: c, case: { note: '{{ steps.b.output }}' } }]
`
  expect(messages(steps)).toEqual(['step `b` has not run before this: it is this step, a later one, or in another branch'])
})

it('hides the steps of a loop outside the loop', () => {
  const loop = `
  - id: each
    foreach: [1, 2]
    as: one
    steps:
      - { id: inner, set: { x: '{{ one }}' } }
      - { id: uses, case: { note: '{{ steps.inner.output.x }}' } }
`
  expect(messages(`${loop}${note('after', '{{ steps.each.output.items }}')}`)).toEqual([])
  expect(messages(`${loop}${note('after', '{{ steps.inner.output }}')}`)).toEqual([
    'step `inner` is inside the loop `each`; outside, read steps.each.output.items',
  ])
  expect(messages(`${loop}${note('after', '{{ one }}')}`)[0]).toContain('there is no `one` here')
})

it('knows the fields of a step', () => {
  expect(messages(`${note('a', 'x')}${note('b', '{{ steps.a.outptu.x }}')}`)).toEqual(['a step has no `outptu`; did you mean `output`?'])
})

it('refuses a name for an item that is already used', () => {
  expect(messages('  - { id: a, foreach: [1], as: inputs, steps: [{ id: b, stop: { outcome: failed } }] }\n')[0]).toContain(
    'already means something else',
  )
  const nested = '  - { id: a, foreach: [1], steps: [{ id: b, foreach: [2], steps: [{ id: c, stop: { outcome: failed } }] }] }\n'
  expect(messages(nested)[0]).toContain('`item` already means something else here')
})

it('refuses variables in iterations that run at the same time', () => {
  const loop = (concurrency: number): string =>
    `  - { id: a, foreach: [1], concurrency: ${concurrency}, steps: [{ id: b, if: true, then: [{ id: c, set: { x: 1 } }] }] }\n`
  expect(messages(loop(1))).toEqual([])
  expect(messages(loop(2))[0]).toContain('variables belong to the run')
})

it('lets the title read only what exists before the first step', () => {
  const title = (text: string): string => `case: { title: '${text}' }\n`
  expect(messages(note('a', 'x'), title('{{ alert.alert_name }} {{ organization.code }}'))).toEqual([])
  expect(messages(note('a', 'x'), title('{{ steps.a.output }}'))[0]).toContain('there is no `steps` here')
})

it('lets the verdict read the output of the steps', () => {
  const verdict = (path: string): string[] => faultsOf(`${playbook(note('a', 'x'))}verdict: { summary: '{{ ${path} }}' }\n`)
  expect(verdict('steps.a.status')).toEqual([])
  expect(verdict('steps.b.status')).toHaveLength(1)
})

it('requires a bound for a loop unless its list is literal', () => {
  const loop = (line: string): string[] => messages(`${note('a', 'x')}  - { id: b, ${line}, steps: [{ id: c, stop: { outcome: failed } }] }\n`)
  expect(loop("foreach: '{{ steps.a.output }}', max_items: 5")).toEqual([])
  expect(loop("foreach: '{{ steps.a.output }}'")[0]).toContain('`max_items` is missing')
  expect(loop('foreach: [1, 2, 3], max_items: 2')).toEqual(['the list has 3 items'])
  expect(loop("foreach: 'a {{ steps.a.output }}', max_items: 5")[0]).toContain('one {{ … }} and nothing else')
})
