import { expect, test } from 'vitest'
import { runName } from './run-name.ts'

test.each([
  ['01a223f6-d38d-71df-9c59-913129f89f6f-r1', 'attempt 1'],
  ['01a223f6-d38d-71df-9c59-913129f89f6f-r12-u3', 'undo 3 of attempt 12'],
  ['something else', 'something else'],
])('%s is called %s', (id, name) => {
  expect(runName(id)).toBe(name)
})
