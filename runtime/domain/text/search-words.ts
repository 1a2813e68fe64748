const wordPattern = /[\p{L}\p{N}\p{M}]+/gu
const noWord = /[^\p{L}\p{N}\p{M}]/u

/** Most of what sources send; nothing below concerns it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are ASCII too
const ascii = /^[\u0000-\u007f]*$/

/** Longer words are cut: base64 and hashes would fill the index. */
export const maxTokenLength = 64
/** Words beyond this many different ones in one alert are not searchable (docs/reference/api/alerts.md). */
export const maxTokens = 512
/** Characters of all texts together whose words are searchable, as they are written and as they are folded. */
export const maxSearched = 65_536

/** Characters that are folded in one go. One character may become eighteen by folding. */
const windowSize = 4_096
/** Characters at the end of a window in which it looks for a place between two words. */
const lookBack = 256

/**
 * Folds case so that a beginning stays a beginning: through upper case, because lower case alone depends on where in its word a
 * letter stands (Σ) and keeps apart what upper case joins (ß and SS); without the dot that lower case leaves of İ.
 */
function fold(text: string): string {
  if (ascii.test(text)) return text.toLowerCase()
  return text.normalize('NFKC').toUpperCase().toLowerCase().replaceAll('ς', 'σ').replaceAll('i\u0307', 'i')
}

/** A long text in windows that end between two words, where there is such a place. */
function* windowsOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    let to = Math.min(from + windowSize, text.length)
    if (to < text.length) {
      let cut = to
      while (cut > to - lookBack && !noWord.test(text[cut] ?? '')) cut -= 1
      if (cut > to - lookBack) to = cut
      // The halves of a pair are no letters.
      else if ((text.charCodeAt(to) & 0xfc00) === 0xdc00) to -= 1
    }
    yield text.slice(from, to)
    from = to
  }
}

/**
 * The case-folded words of some texts, each once, in order of appearance: the one meaning of free text search on every store.
 * A word is a run of letters, marks and digits after NFKC and folding, which depends on no locale.
 */
export function tokensOf(...texts: readonly string[]): string[] {
  const found = new Set<string>()
  let [left, leftFolded] = [maxSearched, maxSearched]
  for (const text of texts) {
    for (const part of windowsOf(text.slice(0, left))) {
      const folded = fold(part)
      for (const [word] of folded.matchAll(wordPattern)) {
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
