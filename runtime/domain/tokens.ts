const wordPattern = /[\p{L}\p{N}\p{M}]+/gu

/** Most of what sources send; nothing below concerns it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are ASCII too
const ascii = /^[\u0000-\u007f]*$/

/** Longer words are cut: base64 and hashes would fill the index. */
export const maxTokenLength = 64
/** Words beyond this many different ones in one alert are not searchable (docs/reference/api.md says so). */
export const maxTokens = 512

/**
 * Folds case so that a beginning stays a beginning: through upper case, because lower case alone depends on where in its word a
 * letter stands (Σ) and keeps apart what upper case joins (ß and SS); without the dot that lower case leaves of İ.
 */
function fold(text: string): string {
  if (ascii.test(text)) return text.toLowerCase()
  return text.normalize('NFKC').toUpperCase().toLowerCase().replaceAll('ς', 'σ').replaceAll('i\u0307', 'i')
}

/**
 * The case-folded words of some texts, each once, in order of appearance: the one meaning of free text search on every store.
 * A word is a run of letters, marks and digits after NFKC and folding, which depends on no locale.
 */
export function tokensOf(...texts: readonly string[]): string[] {
  const found = new Set<string>()
  for (const text of texts) {
    for (const word of fold(text).match(wordPattern) ?? []) {
      found.add(word.length > maxTokenLength ? word.slice(0, maxTokenLength) : word)
      if (found.size >= maxTokens) return [...found]
    }
  }
  return [...found]
}
