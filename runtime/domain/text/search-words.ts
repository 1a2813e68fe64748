const wordPattern = /[\p{L}\p{N}\p{M}]+/gu
/** The same for folded ASCII. It takes half the time. */
const asciiWord = /[0-9a-z]+/g
const noWord = /[^\p{L}\p{N}\p{M}]/u

/** Most texts that sources send are ASCII. They need none of the folding below. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are ASCII too
const ascii = /^[\u0000-\u007f]*$/

/** Longer words are cut. Otherwise base64 and hashes would fill the index. */
export const maxTokenLength = 64
/** Distinct words of one alert beyond this number are not searchable (docs/reference/api/alerts.md). */
export const maxTokens = 512
/** The most searchable characters over all texts, counted both before and after folding. */
export const maxSearched = 65_536

/** Characters that are folded at once. One character may become eighteen by folding. */
const windowSize = 4_096
/** How many characters at the end of a window are searched for a gap between two words. */
const lookBack = 256

/**
 * Folds case so that a prefix stays a prefix. Goes through upper case: lower case alone depends on the
 * position of a letter in its word (Σ), and keeps apart what upper case joins (ß and SS). Also removes the
 * dot that lower case leaves after İ.
 */
function fold(text: string): string {
  return text.normalize('NFKC').toUpperCase().toLowerCase().replaceAll('ς', 'σ').replaceAll('i\u0307', 'i')
}

/** Splits a long text into windows that end between two words, if there is such a place. */
function* windowsOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    let to = Math.min(from + windowSize, text.length)
    if (to < text.length) {
      let cut = to
      while (cut > to - lookBack && !noWord.test(text[cut] ?? '')) cut -= 1
      if (cut > to - lookBack) to = cut
      // Do not split a surrogate pair.
      else if ((text.charCodeAt(to) & 0xfc00) === 0xdc00) to -= 1
    }
    yield text.slice(from, to)
    from = to
  }
}

/**
 * Returns the distinct case-folded words of some texts, in order of appearance. Every store uses this for
 * free text search. A word is a run of letters, marks and digits after NFKC and folding. It does not depend
 * on the locale.
 */
export function tokensOf(...texts: readonly string[]): string[] {
  const found = new Set<string>()
  let [left, leftFolded] = [maxSearched, maxSearched]
  for (const text of texts) {
    for (const part of windowsOf(text.slice(0, left))) {
      const plain = ascii.test(part)
      const folded = plain ? part.toLowerCase() : fold(part)
      for (const word of folded.match(plain ? asciiWord : wordPattern) ?? []) {
        found.add(word.length > maxTokenLength ? word.slice(0, maxTokenLength) : word)
        if (found.size >= maxTokens) return [...found]
      }
      left -= part.length
      leftFolded -= folded.length
      if (left <= 0 || leftFolded <= 0) return [...found]
    }
  }
  return [...found]
}
