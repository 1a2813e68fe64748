export { findPersonal } from './find.ts'
export { replacer } from './replace.ts'
export { Substitutes } from './substitutes.ts'
