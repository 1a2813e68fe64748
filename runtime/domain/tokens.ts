const wordPattern = /[\p{L}\p{N}\p{M}]+/gu

/** Longer words are cut: base64 and hashes would fill the index. */
export const maxTokenLength = 64
/** Words beyond this many different ones in one alert are not searchable (docs/reference/api.md says so). */
export const maxTokens = 512

/**
 * The case-folded words of some texts, each once, in order of appearance: the one meaning of free text search on every store.
 * A word is a run of letters, marks and digits after NFKC; folding is by lower case, so that it depends on no locale.
 */
export function tokensOf(...texts: readonly string[]): string[] {
  const found = new Set<string>()
  for (const text of texts) {
    for (const word of text.normalize('NFKC').toLowerCase().match(wordPattern) ?? []) {
      found.add(word.length > maxTokenLength ? word.slice(0, maxTokenLength) : word)
      if (found.size >= maxTokens) return [...found]
    }
  }
  return [...found]
}
