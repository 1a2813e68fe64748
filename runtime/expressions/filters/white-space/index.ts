/** Spaces and line breaks. */
export { lstrip } from './lstrip.ts'
export { newlineToBr } from './newline-to-br.ts'
export { normalizeWhitespace } from './normalize-whitespace.ts'
export { rstrip } from './rstrip.ts'
export { squish } from './squish.ts'
export { strip } from './strip.ts'
export { stripNewlines } from './strip-newlines.ts'
