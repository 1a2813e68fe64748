import { expect, test } from 'vitest'
import { TocsinError } from '../../errors/index.ts'
import { problemOf } from './problem.ts'

const cause = new Error('connect ECONNREFUSED 10.0.0.5:27017')

test.each([
  ['store_unavailable', `MongoDB does not answer: ${cause.message}`, 'MongoDB does not answer.'],
  ['store_unavailable', `The files of the store cannot be read or written: ${cause.message}.`, 'The files of the store cannot be read or written.'],
  ['store_unavailable', 'The disk is full.', 'The disk is full.'],
  // A fault of the request itself is the sender's to know.
  ['body_not_json', `It cannot be read: ${cause.message}`, `It cannot be read: ${cause.message}`],
] as const)('%s, %s: the sender reads %s', (code, message, detail) => {
  expect(problemOf(new TocsinError(code, message, [], { cause }), '1')).toMatchObject({ code, detail })
})
