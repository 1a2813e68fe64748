import { expect, test } from 'vitest'
import type { Turns } from '../fairness/index.ts'
import { contentJson, readContent } from './content.ts'

test.each([
  ['{"a":12345678901234567890}', { a: '12345678901234567890' }],
  [' [1] ', [1]],
  ['7', 7],
  ['"text"', 'text'],
  ['text', undefined],
  ['\ufeff{"a":1}', { a: 1 }],
  ['\ufefftext', undefined],
  ['{"a":', undefined],
  ['', undefined],
])('the JSON of %j', (content, json) => {
  expect(contentJson(content)).toEqual(json)
})

test.each([
  ['levels', '['.repeat(300) + ']'.repeat(300)],
  ['values', `[${'0,'.repeat(250_000)}0]`],
  ['fields', `{${Array.from({ length: 20_001 }, (_, at) => `"k${at}":0`).join(',')}}`],
])('content with too many %s has no JSON, whether parsed in turns or at once', async (_what, content) => {
  expect(contentJson(content)).toBeUndefined()
  await readContent(content)
  expect(contentJson(content)).toBeUndefined()
})

test('long content is parsed once, in turns, with the same result as at once', async () => {
  let taken = 0
  const turns: Turns = {
    next: () => {
      taken += 1
      return null
    },
  }
  const content = `\ufeff${JSON.stringify({ rows: Array.from({ length: 20_000 }, (_, at) => ({ at })) })}`
  const expected = contentJson(content)
  await readContent(content, turns, 'acme')
  expect(taken).toBeGreaterThan(5)
  const read = contentJson(content)
  expect(read).toEqual(expected)
  expect(contentJson(content)).toBe(read)
  taken = 0
  await readContent(content, turns, 'acme')
  expect(taken).toBe(0)
})
