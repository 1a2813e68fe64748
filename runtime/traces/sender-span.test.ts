import { expect, test } from 'vitest'
import { senderSpanOf } from './sender-span.ts'

const [trace, id] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']

test.each([
  ['a version that everybody knows', `00-${trace}-${id}-01`],
  ['a trace that its sender did not keep', `00-${trace}-${id}-00`],
  ['a later version with more in it', `01-${trace}-${id}-01-more`],
])('%s names a span', (_what, header) => {
  expect(senderSpanOf(header)).toEqual({ trace, id })
})

test.each([
  ['no header', null],
  ['an empty one', ''],
  ['something after the flags', `00-${trace}-${id}-01-more`],
  ['the version that nobody may use', `ff-${trace}-${id}-01`],
  ['a trace of zeros', `00-${'0'.repeat(32)}-${id}-01`],
  ['a span of zeros', `00-${trace}-${'0'.repeat(16)}-01`],
  ['upper case', `00-${trace.toUpperCase()}-${id}-01`],
  ['two headers that Node has joined', `00-${trace}-${id}-01, 00-${trace}-${id}-01`],
])('%s names none', (_what, header) => {
  expect(senderSpanOf(header)).toBeNull()
})
