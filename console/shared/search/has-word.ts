/** Returns whether a search for words has something to look for in a text. Alerts are searched by their words, and `(` is none. */
export function hasWord(text: string): boolean {
  return /[\p{L}\p{N}\p{M}]/u.test(text.normalize('NFKC'))
}
