/** Texts and JSON values: canonical JSON, the words that search finds, and characters that nobody can see. */
export * from './cut.ts'
export * from './invisible.ts'
export * from './json.ts'
export * from './search-words.ts'
export * from './times.ts'
