import { expect, test } from 'vitest'
import { codesOf, faultsOf, playbook } from './testing.ts'

const notes = (count: number, note: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => `  - { id: s${index}, case: { note: '${note(index)}' } }\n`).join('')

test('a playbook has at most three thousand steps', () => {
  expect(faultsOf(playbook(notes(3_000, () => 'x')))).toEqual([])
  expect(faultsOf(playbook(notes(3_005, () => 'x')))).toEqual(['3005:5 steps.3000: a playbook has at most 3000 steps, including nested ones'])
})

test('counts nested steps', () => {
  const inner = Array.from({ length: 3_000 }, (_, index) => `      - { id: s${index}, case: { note: x } }\n`).join('')
  expect(faultsOf(playbook(`  - id: outer\n    if: { '==': [{ var: alert.alert_name }, x] }\n    then:\n${inner}`))).toEqual([
    expect.stringContaining('steps.0.then.2999: a playbook has at most 3000 steps'),
  ])
})

test('a playbook has at most ten thousand texts with templates', () => {
  const lists = (count: number): string =>
    `  - id: s\n    set:\n${Array.from({ length: 5 }, (_, index) => `      l${index}: [${Array(count).fill("'{{ 1 }}'").join(', ')}]\n`).join('')}`
  expect(faultsOf(playbook(lists(2_000)))).toEqual([])
  expect(faultsOf(playbook(lists(2_001)))).toEqual([expect.stringContaining('set.l4.1996: a playbook has at most 10000 texts with templates')])
})

test('reports at most five hundred mistakes', () => {
  expect(codesOf(playbook(notes(600, (index) => `{{ nothing_${index} }}`)))).toEqual(Array(500).fill('root_unknown'))
  const broken = Array.from({ length: 600 }, (_, index) => `  - { id: s${index}, if: 1, swich: [] }\n`).join('')
  expect(codesOf(playbook(broken))).toHaveLength(500)
})

test('a message does not quote a very long text in full', () => {
  const [fault = ''] = faultsOf(playbook(`  - id: s\n    case: { note: '{{ ${'a'.repeat(50_000)} }}' }\n`))
  expect(fault.length).toBeLessThan(1_200)
})
