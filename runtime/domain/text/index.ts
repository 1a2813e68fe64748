/** Texts and JSON values: canonical JSON, the words that search finds, and characters that nobody can see. */
export * from './invisible.ts'
export * from './json.ts'
export * from './search-words.ts'
