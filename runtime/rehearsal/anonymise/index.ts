/** Replaces personal data and secrets in recorded tests. */
export { findPersonal } from './find.ts'
export { replacer } from './replace.ts'
export { Substitutes } from './substitutes.ts'
