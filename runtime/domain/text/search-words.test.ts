import { expect, test } from 'vitest'
import { maxSearched, maxTokenLength, maxTokens, tokensOf } from './search-words.ts'

test('words are runs of letters, marks and digits, each listed once, in order, over all texts', () => {
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

test('a prefix of a word is a prefix of its token, in any case', () => {
  for (const word of ['ΟΔΟΣΗ', 'Straßenbahn', 'ΣΊΣΥΦΟΣ', 'Payroll']) {
    const [token = ''] = tokensOf(word)
    for (let length = 1; length <= word.length; length++) {
      for (const typed of [word.slice(0, length), word.slice(0, length).toUpperCase(), word.slice(0, length).toLowerCase()]) {
        expect(token.startsWith(tokensOf(typed)[0] ?? '?')).toBe(true)
      }
    }
  }
})

test('long words are cut, and only so many are kept', () => {
  expect(tokensOf('x'.repeat(1_000))[0]).toHaveLength(maxTokenLength)
  expect(tokensOf(Array.from({ length: 2_000 }, (_, index) => `w${index}`).join(' '))).toHaveLength(maxTokens)
})

test('a long text has all the words of its parts', () => {
  const text = Array.from({ length: 5_000 }, (_, index) => `Wört${index % 400}`).join(' ')
  expect(tokensOf(text)).toEqual(Array.from({ length: 400 }, (_, index) => `wört${index}`))
  const glued = `${'a'.repeat(10_000)} Ende`
  expect(tokensOf(glued).at(-1)).toBe('ende')
  const pairs = tokensOf(`${'𝒜'.repeat(10_000)}`)
  for (const token of pairs) expect(token.replaceAll('a', '')).toBe('')
})

test.each([
  ['the same word again and again', 'word '.repeat(1_000_000)],
  ['no word', '- '.repeat(1_000_000)],
  ['one word without end', 'x'.repeat(2_000_000)],
  ['characters that become many', '\ufdfa'.repeat(1_000_000)],
])('only the beginning of a long text is searched: %s', (_what, text) => {
  expect(tokensOf(`${text} needle`)).not.toContain('needle')
  expect(tokensOf(`needle ${text}`)).toContain('needle')
})

test('the words of the last text within the limit are found', () => {
  expect(tokensOf('- '.repeat((maxSearched - 100) / 2), 'needle')).toContain('needle')
})
