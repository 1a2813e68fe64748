import { tokensOf } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'
import { maxSearchWords } from '../limits.ts'

/**
 * Returns the words of a search. Leaves out a word that begins another word: what matches the longer word matches it, too, and short words
 * are the most expensive.
 * @throws TocsinError `query_invalid` if there is no word, or more than 20 different ones
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
