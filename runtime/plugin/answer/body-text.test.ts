import { expect, test } from 'vitest'
import type { Json } from '../../domain/index.ts'
import { bodyText } from './body-text.ts'

test.each<[string, Json, string, string]>([
  ['a text as it is', 'hello', 'text/plain', 'hello'],
  ['a text with quotes and line ends as it is', '"a"\r\n{b}', 'text/csv; charset=UTF-8', '"a"\r\n{b}'],
  ['a form', 'a=1&b=2', 'application/x-www-form-urlencoded', 'a=1&b=2'],
  ['an XML document', '<a>é</a>', 'application/xml', '<a>é</a>'],
  ['ASCII under a charset that has it', 'abc', 'text/plain; charset=iso-8859-1', 'abc'],
  ['an object as JSON', { a: 'é' }, 'application/json', '{"a":"é"}'],
  ['an object as JSON of another name', { a: 1 }, 'application/merge-patch+json; charset=utf-8', '{"a":1}'],
  ['a text as JSON', 'hello', 'application/json', '"hello"'],
  ['half of a character as JSON, which can say it', '\ud800', 'application/json', '"\\ud800"'],
])('sends %s', (_what, body, type, sent) => {
  expect(bodyText(body, type)).toBe(sent)
})

test.each<[string, Json, string, string]>([
  ['an object as text', { a: 1 }, 'text/plain', 'The content type is text/plain, but the body is not a text.'],
  ['a number as text', 1, 'text/plain', 'is not a text'],
  ['an object as a form', { a: 1 }, 'application/x-www-form-urlencoded', 'is not a text'],
  ['an object without a content type', { a: 1 }, '', 'The content type is empty'],
  ['a text in another charset', 'hello', 'text/plain; charset=utf-16', 'names the charset utf-16'],
  ['a character outside ASCII in a charset that is not UTF-8', 'é', 'text/plain; charset=iso-8859-1', 'characters outside ASCII'],
  ['half of a character as text', 'a\ud800', 'text/plain', 'half of a character'],
  ['a text that is JSON already', '{"a":1}', 'application/json', 'in quotes'],
])('refuses %s', (_what, body, type, words) => {
  expect(() => bodyText(body, type)).toThrow(expect.objectContaining({ code: 'skill_input_invalid', message: expect.stringContaining(words) }))
})
