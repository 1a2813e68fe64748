/**
 * Advice for a document that breaks the grammar: what the author probably meant, with a fix if
 * that is certain.
 */
export { adviceOf, scalarAdvice } from './advice.ts'
export { insideKeyMeant, keyMeant, rootKeyMeant } from './meant-keys.ts'
