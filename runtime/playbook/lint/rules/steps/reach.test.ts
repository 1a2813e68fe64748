import { expect, test } from 'vitest'
import { findingsIn, messagesIn } from '../../testing.ts'

test('reports the first step after a stop as unreachable, once', () => {
  const steps = `
  - id: halt
    stop: { outcome: completed }
  - id: first
    case: { note: x }
  - id: second
    case: { note: x }
`
  expect(findingsIn(steps)).toEqual(['7:5 step_unreachable'])
  expect(messagesIn(steps)).toEqual(['this step is never reached: the run stops on line 5'])
})

test('reports the step after an `if` that stops in both branches', () => {
  const steps = `
  - id: which
    if: { var: alert.alert_id }
    then: [{ id: a, stop: { outcome: completed } }]
    else: [{ id: b, stop: { outcome: failed } }]
  - id: after
    case: { note: x }
`
  expect(findingsIn(steps)).toEqual(['9:5 step_unreachable'])
  expect(findingsIn(steps.replace(/ {4}else.*\n/, ''))).toEqual([])
})

test('a stop with an `if` does not make the next step unreachable', () => {
  expect(
    findingsIn('\n  - id: halt\n    if: { var: alert.alert_id }\n    stop: { outcome: completed }\n  - id: say\n    case: { note: x }\n'),
  ).toEqual([])
})

test('reports a condition that was already checked on the way', () => {
  const steps = `
  - id: which
    if: { '==': [{ var: alert.alert_name }, a] }
    then:
      - id: inner
        if: { '!=': [{ var: alert.alert_name }, a] }
        case: { note: x }
`
  expect(findingsIn(steps)).toEqual(['9:13 condition_decided'])
  expect(messagesIn(steps)[0]).toContain('is never true here')
})
