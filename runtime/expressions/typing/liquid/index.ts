/**
 * The types of templates: reads the syntax tree of Liquid, and follows what its tags and filters
 * do with values.
 */
export { Reader } from './reader.ts'
export { signaturesOf } from './signatures.ts'
export { type Fallback, Values } from './values.ts'
