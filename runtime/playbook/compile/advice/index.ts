/**
 * Advice for a document that breaks the grammar: what its author probably meant, with a fix where
 * that is certain.
 */
export { adviceOf, scalarAdvice } from './advice.ts'
export { insideKeyMeant, keyMeant, rootKeyMeant } from './meant-keys.ts'
