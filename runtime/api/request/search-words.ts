import { tokensOf } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'
import { maxSearchWords } from '../limits.ts'

/**
 * The words of a search. A word that begins another word is left out: whatever fits the longer one fits it too. Short words are the
 * dearest to search for.
 * @throws TocsinError `query_invalid` without a word, and for more than 20 different ones
 */
export function searchWordsOf(text: string): string[] {
  const words = tokensOf(text)
  if (words.length === 0) throw invalid('The query has no word to search for.', 'needs a letter or a digit')
  if (words.length > maxSearchWords) {
    throw invalid('The query has too many words.', `has ${words.length} different words; at most ${maxSearchWords} can be searched for`)
  }
  return words.filter((word) => !words.some((other) => other !== word && other.startsWith(word)))
}

function invalid(detail: string, message: string): TocsinError {
  return new TocsinError('query_invalid', detail, [{ field: 'q', message }])
}
