import { expect, test } from 'vitest'
import { answerIn, NotJson } from './answer.ts'

function form(fields: Readonly<Record<string, string>>): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.append(name, value)
  return data
}

test('without a verdict there is no answer', () => {
  expect(answerIn(form({ reason: 'Seen' }))).toBeNull()
})

test('an empty reason and an empty output are none', () => {
  expect(answerIn(form({ verdict: 'happened', reason: ' \n', output: ' ' }))).toEqual({ verdict: 'happened' })
  expect(answerIn(form({ verdict: 'approve', reason: ' Seen ' }))).toEqual({ verdict: 'approve', reason: 'Seen' })
})

test('only a write that happened has an output, any JSON', () => {
  expect(answerIn(form({ verdict: 'happened', output: '{"id": 7}' }))).toEqual({ verdict: 'happened', output: { id: 7 } })
  expect(answerIn(form({ verdict: 'happened', output: 'null' }))).toEqual({ verdict: 'happened', output: null })
  expect(answerIn(form({ verdict: 'give_up', output: 'left from before' }))).toEqual({ verdict: 'give_up' })
  expect(() => answerIn(form({ verdict: 'happened', output: '{"id": ' }))).toThrow(NotJson)
})
