import { expect, test } from 'vitest'
import { isTocsinError } from '../../errors/index.ts'
import { maxSearchWords } from '../limits.ts'
import { searchWordsOf } from './search-words.ts'

const words = (count: number): string => Array.from({ length: count }, (_, at) => `w${at + 100}`).join(' ')

function placesOf(text: string) {
  try {
    searchWordsOf(text)
  } catch (error) {
    if (isTocsinError(error)) return { code: error.code, places: error.places }
    throw error
  }
  return null
}

test('a repeated word, or the beginning of another word, is searched for once', () => {
  expect(searchWordsOf('Ana ana ANA stolen a sto')).toEqual(['ana', 'stolen'])
})

test('the limit counts different words, however often each occurs', () => {
  expect(searchWordsOf(`${words(maxSearchWords)} ${words(maxSearchWords)}`)).toHaveLength(maxSearchWords)
})

test('more different words are refused, and the error names the field and both numbers', () => {
  expect(placesOf(words(maxSearchWords + 1))).toEqual({
    code: 'query_invalid',
    places: [{ field: 'q', message: 'has 21 different words; at most 20 can be searched for' }],
  })
})

test('a search without a word is refused', () => {
  expect(placesOf(' - ')).toEqual({ code: 'query_invalid', places: [{ field: 'q', message: 'needs a letter or a digit' }] })
})
