import { foldCase } from '../../../domain/index.ts'
import { beginningWith, exactly, type TermRange } from '../segment.ts'

/** Returns the folded words of a text. Replaces the character that ends ranges of terms. */
export function wordsOf(text: string): string[] {
  return foldCase(text).replaceAll('\uffff', '\ufffd').split(/\s+/).filter(Boolean)
}

const digit = /[0-9]/
/** There are few digits, so that three of them are in many cases. */
const [lengthOfGram, lengthWithDigit] = [3, 4]

function lengthAt(characters: readonly string[], from: number): number {
  return digit.test(characters.slice(from, from + lengthOfGram).join('')) ? lengthWithDigit : lengthOfGram
}

/**
 * Returns the grams of a word: from each character, this and the next two or three. At its end they are shorter. So each part of a word
 * begins a gram, or consists of grams.
 */
export function* gramsOf(word: string): Generator<string> {
  const characters = [...word]
  for (let from = 0; from < characters.length; from += 1) yield characters.slice(from, from + lengthAt(characters, from)).join('')
}

/** Returns the ranges of grams that a word must have to contain this part: a few that have all its characters. */
export function rangesOf(part: string): readonly TermRange[] {
  const characters = [...part]
  const count = characters.length
  if (count < lengthOfGram) return [beginningWith(part)]
  const ranges: TermRange[] = []
  for (let from = 0; from < count; ) {
    let at = from
    // The last gram reaches the end, so that it has as many characters of the part as it can.
    if (at + lengthAt(characters, at) > count) at = Math.max(0, count - lengthWithDigit)
    if (at + lengthAt(characters, at) < count && at < from) at = count - lengthOfGram
    const to = at + lengthAt(characters, at)
    // The gram may be longer than what is left of the part.
    ranges.push(to > count ? beginningWith(characters.slice(at).join('')) : exactly(characters.slice(at, to).join('')))
    from = to
  }
  return ranges
}
