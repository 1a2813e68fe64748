import { expect, test } from 'vitest'
import { preferredWait } from './prefer.ts'

test.each([
  ['wait=10', 10],
  ['wait="10"', 10],
  [' Wait = 10 ', 10],
  ['respond-async, wait=10; foo=bar', 10],
  ['wait=0', 0],
  ['wait=300', 300],
  ['wait=301', 300],
  ['wait=999999999', 300],
  ['wait=5, wait=9', 5],
])('%j waits %i seconds', (header, seconds) => {
  expect(preferredWait(header)).toBe(seconds)
})

test.each(['', 'wait', 'wait=', 'wait=-1', 'wait=1.5', 'wait=1e9', 'wait=ten', 'wait=9999999999', 'nowait=5', 'await=5', 'return=minimal', ',,,='])(
  '%j is ignored',
  (header) => {
    expect(preferredWait(header)).toBeNull()
  },
)

test('no header is no wait; several count as one list', () => {
  expect(preferredWait(undefined)).toBeNull()
  expect(preferredWait(['return=minimal', 'wait=3'])).toBe(3)
})
