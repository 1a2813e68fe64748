import { expect, test } from 'vitest'
import { maxTokenLength, maxTokens, tokensOf } from './tokens.ts'

test('words are runs of letters, marks and digits, each once, in order, over all texts', () => {
  expect(tokensOf('ada@example.com logged in; Ada!', 'in 2 places')).toEqual(['ada', 'example', 'com', 'logged', 'in', '2', 'places'])
})

test.each([
  ['Crème BRÛLÉE', 'crème brûlée'],
  ['ΟΔΟΣ', 'οδος'],
  ['Straße', 'STRASSE'],
  ['İstanbul', 'istanbul'],
  ['ﬁle', 'FILE'],
  ['ｗｉｄｅ', 'wide'],
])('%s and %s have the same words', (one, other) => {
  expect(tokensOf(one)).toEqual(tokensOf(other))
})

test('the beginning of a word is the beginning of its token, whatever the case it is written in', () => {
  for (const word of ['ΟΔΟΣΗ', 'Straßenbahn', 'ΣΊΣΥΦΟΣ', 'Payroll']) {
    const [token = ''] = tokensOf(word)
    for (let length = 1; length <= word.length; length++) {
      for (const typed of [word.slice(0, length), word.slice(0, length).toUpperCase(), word.slice(0, length).toLowerCase()]) {
        expect(token.startsWith(tokensOf(typed)[0] ?? '?')).toBe(true)
      }
    }
  }
})

test('long words are cut, and many are too many', () => {
  expect(tokensOf('x'.repeat(1_000))[0]).toHaveLength(maxTokenLength)
  expect(tokensOf(Array.from({ length: 2_000 }, (_, index) => `w${index}`).join(' '))).toHaveLength(maxTokens)
})
