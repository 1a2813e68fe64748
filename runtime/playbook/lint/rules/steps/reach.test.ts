import { expect, test } from 'vitest'
import { findingsIn, messagesIn } from '../../testing.ts'

test('what follows a stop is never reached, said once', () => {
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

test('nor what follows an `if` that stops both ways', () => {
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

test('a stop with an `if` goes on', () => {
  expect(
    findingsIn('\n  - id: halt\n    if: { var: alert.alert_id }\n    stop: { outcome: completed }\n  - id: say\n    case: { note: x }\n'),
  ).toEqual([])
})

test('a condition that was asked on the way is decided', () => {
  const steps = `
  - id: which
    if: { '==': [{ var: alert.alert_name }, a] }
    then:
      - id: inner
        if: { '!=': [{ var: alert.alert_name }, a] }
        case: { note: x }
`
  expect(findingsIn(steps)).toEqual(['9:13 condition_decided'])
  expect(messagesIn(steps)[0]).toContain('never holds here')
})
