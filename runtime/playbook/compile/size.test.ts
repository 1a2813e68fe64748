import { expect, test } from 'vitest'
import { codesOf, faultsOf, playbook } from './testing.ts'

const notes = (count: number, note: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => `  - { id: s${index}, case: { note: '${note(index)}' } }\n`).join('')

test('a playbook has three thousand steps, and not one more', () => {
  expect(faultsOf(playbook(notes(3_000, () => 'x')))).toEqual([])
  expect(faultsOf(playbook(notes(3_005, () => 'x')))).toEqual(['3005:5 steps.3000: a playbook has 3000 steps at most, those in other steps counted'])
})

test('steps in other steps count', () => {
  const inner = Array.from({ length: 3_000 }, (_, index) => `      - { id: s${index}, case: { note: x } }\n`).join('')
  expect(faultsOf(playbook(`  - id: outer\n    if: { '==': [{ var: alert.alert_name }, x] }\n    then:\n${inner}`))).toEqual([
    expect.stringContaining('steps.0.then.2999: a playbook has 3000 steps at most'),
  ])
})

test('a playbook has ten thousand texts with templates', () => {
  const lists = (count: number): string =>
    `  - id: s\n    set:\n${Array.from({ length: 5 }, (_, index) => `      l${index}: [${Array(count).fill("'{{ 1 }}'").join(', ')}]\n`).join('')}`
  expect(faultsOf(playbook(lists(2_000)))).toEqual([])
  expect(faultsOf(playbook(lists(2_001)))).toEqual([expect.stringContaining('set.l4.1996: a playbook has 10000 texts with templates at most')])
})

test('no more than five hundred mistakes are told', () => {
  expect(codesOf(playbook(notes(600, (index) => `{{ nothing_${index} }}`)))).toEqual(Array(500).fill('root_unknown'))
  const broken = Array.from({ length: 600 }, (_, index) => `  - { id: s${index}, if: 1, swich: [] }\n`).join('')
  expect(codesOf(playbook(broken))).toHaveLength(500)
})

test('a message does not repeat a text that is as long as the file', () => {
  const [fault = ''] = faultsOf(playbook(`  - id: s\n    case: { note: '{{ ${'a'.repeat(50_000)} }}' }\n`))
  expect(fault.length).toBeLessThan(1_200)
})
